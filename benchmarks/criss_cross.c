/* The value of a cross of five cards beside two hole cards, by every hole, across pair, down pair and middle card.
 *
 * Usage: criss_cross ROYAL STRAIGHT_FLUSH FOUR FULL_HOUSE FLUSH STRAIGHT THREE TWO_PAIR HIGH_PAIR (what a bet wins, to 1)
 * Prints the sum of the best results over all deals, in antes. Pairs of jacks or better win, sixes to tens push; antes
 * win even money. Each of three bets is once or three times the ante, or a fold: a result is linear in each bet.
 *
 * One hole of each class of suit permutations. One thread, no tricks: a contender for the benchmark, and a second way. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DECK = 52, PAIRS = 1225, LEFT = 46, DOWNS = 1128 };
static int odds[9];
static int16_t wins[PAIRS][DECK]; /* what a bet wins with a pair of cards and a middle card beside the hole */
static int32_t bet_sum[PAIRS], ante_sum[PAIRS];
static int first[PAIRS], second[PAIRS];

static int ante(int win) { return win > 0 ? 1 : win; }

static int settle(const int *cards) {
    int counts[13] = {0}, ranks = 0, flush = 1, kinds[5] = {0}, pair = 0;
    for (int i = 0; i < 5; i++) {
        counts[cards[i] / 4]++, ranks |= 1 << cards[i] / 4;
        flush &= cards[i] % 4 == cards[0] % 4;
    }
    for (int rank = 0; rank < 13; rank++) {
        kinds[counts[rank]]++;
        if (counts[rank] == 2) pair = rank;
    }
    int straight = ranks == 0x100F;
    for (int low = 0; low < 9; low++) straight |= ranks == 0x1F << low;
    if (straight && flush) return odds[ranks == 0x1F00 ? 0 : 1];
    if (kinds[4]) return odds[2];
    if (kinds[3] && kinds[2]) return odds[3];
    if (flush) return odds[4];
    if (straight) return odds[5];
    if (kinds[3]) return odds[6];
    if (kinds[2] == 2) return odds[7];
    if (kinds[2]) return pair >= 9 ? odds[8] : pair >= 4 ? 0 : -1;
    return -1;
}

static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* Returns the sum of the best results with a hole, over all across pairs, down pairs and middle cards. */
static int64_t value(int hole, int other) {
    int count = 0;
    for (int a = 0; a < DECK; a++)
        for (int b = a + 1; b < DECK; b++)
            if (a != hole && a != other && b != hole && b != other) first[count] = a, second[count++] = b;
    memset(wins, 0, sizeof wins);
    for (int i = 0; i < PAIRS; i++) {
        bet_sum[i] = ante_sum[i] = 0;
        for (int card = 0; card < DECK; card++) {
            if (card == hole || card == other || card == first[i] || card == second[i]) continue;
            int hand[5] = {hole, other, first[i], second[i], card}, win = settle(hand);
            wins[i][card] = win, bet_sum[i] += win, ante_sum[i] += ante(win);
        }
    }
    int64_t total[2] = {0};
    for (int i = 0; i < PAIRS; i++) {
        int64_t sums[2][2] = {{0}};
        for (int j = 0; j < PAIRS; j++) {
            const int16_t *a = wins[i], *b = wins[j];
            int i1 = first[i], i2 = second[i], j1 = first[j], j2 = second[j];
            if (i1 == j1 || i1 == j2 || i2 == j1 || i2 == j2) continue;
            int32_t better = 0;
            for (int card = 0; card < DECK; card++) better += a[card] > b[card] ? a[card] : b[card];
            /* a row holds 0 at its own cards: take out the middle cards that lie across or down */
            better -= (a[j1] > 0 ? a[j1] : 0) + (a[j2] > 0 ? a[j2] : 0) + (b[i1] > 0 ? b[i1] : 0) + (b[i2] > 0 ? b[i2] : 0);
            int64_t across = bet_sum[i] - a[j1] - a[j2], down = bet_sum[j] - b[i1] - b[i2];
            int64_t antes = ante_sum[i] - ante(a[j1]) - ante(a[j2]) + ante_sum[j] - ante(b[i1]) - ante(b[i2]);
            int64_t middle = most(better, 3 * better);
            for (int x = 0; x < 2; x++)
                for (int y = 0; y < 2; y++) {
                    int64_t bets = 1 + 2 * x, next = 1 + 2 * y;
                    sums[x][y] += most(-LEFT * (2 + bets + next), antes + bets * across + next * down + middle);
                }
        }
        for (int x = 0; x < 2; x++)
            total[x] += most(-(int64_t)LEFT * DOWNS * (3 + 2 * x), most(sums[x][0], sums[x][1]));
    }
    return most(-2 * (int64_t)LEFT * DOWNS * PAIRS, most(total[0], total[1]));
}

int main(int argc, char **argv) {
    if (argc != 10) return 2;
    for (int i = 0; i < 9; i++) odds[i] = atoi(argv[i + 1]);
    __int128 sum = 0;
    for (int high = 0; high < 13; high++) {
        sum += 6 * (__int128)value(4 * high, 4 * high + 1);
        for (int low = 0; low < high; low++)
            sum += 4 * (__int128)value(4 * high, 4 * low) + 12 * (__int128)value(4 * high, 4 * low + 1);
    }
    printf("%lld\n", (long long)sum);
    return 0;
}
