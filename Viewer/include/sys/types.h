#pragma once
typedef long long off_t;
typedef int ssize_t;
