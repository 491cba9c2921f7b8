/* All pairs of disjoint seven-card hands of a 53-card deck, set by one house way, by inclusion and exclusion.
 *
 * Usage: two_hands CODES, a file with the strengths (high << 7 | low, 32 bits) of every hand in colexicographic order.
 * Prints the pairs in which one side wins both hands, and those in which it wins high plus those in which it wins low.
 *
 * For every set S of up to six cards, one of each class of suit permutations, the hands that contain S are listed, and
 * the pairs among them are counted with a sign. One thread, no tricks: a contender for the benchmark, and a second way. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { DECK = 53, CARDS = 7, HIGHS = 8192, LOWS = 128 };
static int64_t choose[DECK + 1][CARDS + 1];
static const int32_t *codes;
static int32_t *held, *sorted;
static int64_t starts[HIGHS + 1], low_counts[LOWS], tree[LOWS + 1];

/* Lists the codes of all hands that contain the sorted set; returns their number. */
static int64_t list_hands(const int *set, int size) {
    int free_cards[DECK], count = 0, places[CARDS], rest = CARDS - size;
    for (int card = 0, at = 0; card < DECK; card++)
        if (at < size && set[at] == card) at++;
        else free_cards[count++] = card;
    for (int i = 0; i < rest; i++) places[i] = i;
    for (int64_t found = 0;;) {
        int64_t index = 0;
        for (int a = 0, b = 0; a + b < CARDS;) {
            int card = b == rest || (a < size && set[a] < free_cards[places[b]]) ? set[a++] : free_cards[places[b++]];
            index += choose[card][a + b];
        }
        held[found++] = codes[index];
        int i = 0;
        while (i < rest && places[i] + 1 == (i + 1 < rest ? places[i + 1] : count)) i++;
        if (i == rest) return found;
        places[i]++;
        for (int j = 0; j < i; j++) places[j] = j;
    }
}

/* Adds, over all ordered pairs of the listed hands: both strengths higher, and each strength higher. */
static void add_pairs(int64_t n, int64_t sign, __int128 *both, __int128 *single) {
    int64_t won = 0, one = 0, below = 0;
    if (n < 100) { /* too few to sort */
        for (int64_t i = 0; i < n; i++)
            for (int64_t j = 0; j < n; j++) {
                int high = held[i] >> 7 > held[j] >> 7, low = (held[i] & 127) > (held[j] & 127);
                won += high & low, one += high + low;
            }
        *both += (__int128)sign * won, *single += (__int128)sign * one;
        return;
    }
    memset(starts, 0, sizeof starts), memset(low_counts, 0, sizeof low_counts), memset(tree, 0, sizeof tree);
    for (int64_t i = 0; i < n; i++) starts[(held[i] >> 7) + 1]++, low_counts[held[i] & 127]++;
    for (int high = 0; high < HIGHS; high++) starts[high + 1] += starts[high];
    for (int64_t i = 0; i < n; i++) sorted[starts[held[i] >> 7]++] = held[i];
    for (int64_t first = 0, end; first < n; first = end) {
        for (end = first; end < n && sorted[end] >> 7 == sorted[first] >> 7; end++)
            for (int i = sorted[end] & 127; i; i &= i - 1) won += tree[i];
        one += (end - first) * first;
        for (int64_t i = first; i < end; i++)
            for (int j = (sorted[i] & 127) + 1; j <= LOWS; j += j & -j) tree[j]++;
    }
    for (int low = 0; low < LOWS; low++) one += low_counts[low] * below, below += low_counts[low];
    *both += (__int128)sign * won, *single += (__int128)sign * one;
}

/* Returns the number of sets that suits can make of this one, or 0 if it is not the one whose suits are in order. */
static int orbit(const int *set, int size) {
    int suits[4] = {0}, ways = 24, equal = 1;
    for (int i = 0; i < size; i++)
        if (set[i] < 52) suits[set[i] & 3] |= 1 << (set[i] >> 2);
    for (int suit = 1; suit < 4; suit++) {
        if (suits[suit] > suits[suit - 1]) return 0;
        equal = suits[suit] == suits[suit - 1] ? equal + 1 : 1;
        ways /= equal;
    }
    return ways;
}

static void print(__int128 number) { printf("%lld\n", (long long)number); }

int main(int count, char **arguments) {
    for (int n = 0; n <= DECK; n++)
        for (int k = 0; k <= CARDS; k++) choose[n][k] = k == 0 ? 1 : n == 0 ? 0 : choose[n - 1][k - 1] + choose[n - 1][k];
    int64_t hands = choose[DECK][CARDS];
    int file = count == 2 ? open(arguments[1], O_RDONLY) : -1;
    codes = mmap(0, hands * 4, PROT_READ, MAP_PRIVATE, file, 0);
    if (file < 0 || codes == MAP_FAILED) return fprintf(stderr, "usage: two_hands CODES\n"), 2;
    held = malloc(hands * 4), sorted = malloc(hands * 4);
    __int128 both = 0, single = 0;
    for (int size = 0; size < CARDS; size++) {
        int set[CARDS];
        for (int i = 0; i < size; i++) set[i] = i;
        for (int more = 1; more;) {
            int ways = orbit(set, size);
            if (ways) add_pairs(list_hands(set, size), size % 2 ? -ways : ways, &both, &single);
            int i = size - 1;
            while (i >= 0 && set[i] == DECK - size + i) i--;
            more = i >= 0;
            if (more)
                for (set[i]++, i++; i < size; i++) set[i] = set[i - 1] + 1;
        }
    }
    print(both), print(single);
    return 0;
}
