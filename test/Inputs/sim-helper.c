#include <stdlib.h>

int helper(int X) {
  int *Copy = malloc(sizeof *Copy); /* C++ would ask for a cast. */
  *Copy = X + 1;
  X = *Copy;
  free(Copy);
  return X;
}
