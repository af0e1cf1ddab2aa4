/* Built without frame pointers. */
int without_frame(int depth, int (*function)(int));

int without_frame(int depth, int (*function)(int)) {
  volatile int room[6];
  room[depth % 6] = function(depth - 1);
  return room[depth % 6] + 1;
}
