#ifndef TILE
#define TILE 32
#endif
