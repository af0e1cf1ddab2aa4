#include "exhibit_files.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#define XFS_MAGIC 0x58465342

bool exhibit_changes_in_place(int descriptor) {
  struct statfs system;
  if (fstatfs(descriptor, &system) != 0) return false;
  return system.f_type == EXT4_SUPER_MAGIC || system.f_type == XFS_MAGIC || system.f_type == TMPFS_MAGIC;
}
