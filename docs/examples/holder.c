/* A bot in C, without any library: every unit holds.
 *
 *     cc -o holder holder.c
 *     daide bot --exec ./holder
 */
#include <stdio.h>
#include <string.h>

static char line[1 << 17];

/* NOW ( SPR 1901 ) ( AUS AMY BUD ) ( RUS FLT ( STP SCS ) ) ...: order those of our power to hold. */
static void hold_all(const char *power)
{
    char ours[8];
    const char *at = line, *end;
    int count = 0;

    snprintf(ours, sizeof ours, "( %s ", power);
    while ((at = strstr(at, ours)) != NULL) {
        end = strchr(at, ')');
        if (end && strchr(at + 1, '(') && strchr(at + 1, '(') < end)
            end = strchr(end + 1, ')'); /* a coast has brackets of its own */
        if (!end)
            break;
        printf("%s( %.*s HLD )", count++ ? " " : "SUB ", (int)(end - at + 1), at);
        at = end;
    }
    puts(count ? "" : "GOF");
}

int main(void)
{
    char power[4] = "", season[4] = "";

    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "HLO ( %3s", power) == 1)
            continue;
        if (sscanf(line, "NOW ( %3s", season) != 1)
            continue;
        if (!strcmp(season, "SPR") || !strcmp(season, "FAL"))
            hold_all(power);
        else
            puts("GOF"); /* retreats and builds: whatever is harmless */
    }
    return 0;
}
