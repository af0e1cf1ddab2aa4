/* The template FILE in the table of templates.c, which includes this once for each. */
{FILE, (const unsigned char[]){
#embed FILE suffix(,)
0}},
#undef FILE
