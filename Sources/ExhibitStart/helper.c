#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exhibit_start.h"

extern char **environ;

static const char variable[] = EXHIBIT_HELPER "=";

const char *exhibit_helper_request(void) { return getenv(EXHIBIT_HELPER); }

/* Only then starting the executable again leads back to us. */
static int is_in_executable(void) {
  Dl_info info;
  struct link_map *map = NULL;
  if (!dladdr1((void *)is_in_executable, &info, (void **)&map, RTLD_DL_LINKMAP) || !map) return 0;
  return map->l_name[0] == '\0';
}

/* The caller frees the array, not its strings. */
static char **environment_with(char *request) {
  size_t count = 0;
  while (environ && environ[count]) count++;
  char **environment = malloc((count + 2) * sizeof *environment);
  if (!environment) return NULL;
  if (count) memcpy(environment, environ, count * sizeof *environment);
  environment[count] = request;
  environment[count + 1] = NULL;
  return environment;
}

static int spawn(pid_t *pid, int output, char **environment) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int code = posix_spawn_file_actions_init(&actions);
  if (code) return code;
  code = posix_spawnattr_init(&attributes);
  if (code) {
    posix_spawn_file_actions_destroy(&actions);
    return code;
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char *arguments[] = {"exhibit-helper", NULL};
  if (!(code = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)) &&
      !(code = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)) &&
      !(code = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)) &&
      !(code = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)))
    code = posix_spawn(pid, "/proc/self/exe", &actions, &attributes, arguments, environment);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return code;
}

int exhibit_spawn_helper(const char *request, pid_t *pid, int *answer) {
  if (!is_in_executable()) return ENOEXEC;
  char *assignment = malloc(sizeof variable + strlen(request));
  if (!assignment) return ENOMEM;
  strcat(strcpy(assignment, variable), request);
  char **environment = environment_with(assignment);
  int ends[2];
  int code = environment ? (pipe2(ends, O_CLOEXEC) ? errno : 0) : ENOMEM;
  if (!code) {
    code = spawn(pid, ends[1], environment);
    close(ends[1]);
    if (code) close(ends[0]);
    else *answer = ends[0];
  }
  free(environment);
  free(assignment);
  return code;
}
