#pragma once
double fabs(double);
double ceil(double);
double floor(double);
double trunc(double);
double sqrt(double);
double log(double);
double log10(double);
double log2(double);

/* The browser's. */
#define OF_ONE(name) __attribute__((import_module("Math"), import_name(#name))) double name(double);
#define OF_TWO(name) __attribute__((import_module("Math"), import_name(#name))) double name(double, double);
OF_ONE(acos) OF_ONE(acosh) OF_ONE(asin) OF_ONE(asinh) OF_ONE(atan) OF_ONE(atanh) OF_ONE(cos) OF_ONE(cosh)
OF_ONE(exp) OF_ONE(sin) OF_ONE(sinh) OF_ONE(tan) OF_ONE(tanh)
OF_TWO(atan2) OF_TWO(pow) OF_TWO(fmod)
#undef OF_ONE
#undef OF_TWO
