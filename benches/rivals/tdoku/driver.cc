// Measures tdoku (https://github.com/t-dillon/tdoku), called as by rapidoku bench --rival 'driver {input} {limit} {rounds}':
//
//   driver FILE LIMIT ROUNDS    prints puzzles per second for each round, from text in memory to numbers of solutions
//   driver FILE LIMIT           prints the number of solutions of each puzzle, at most LIMIT
//
// FILE has a puzzle of 81 characters at the start of each line; lines that are shorter, or start with '#', are skipped.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tdoku.h"

int main(int argc, char **argv) {
    std::ifstream file(argc == 3 || argc == 4 ? argv[1] : "");
    if (!file) return fprintf(stderr, "usage: driver FILE LIMIT [ROUNDS]\n"), 2;
    const size_t limit = strtoull(argv[2], nullptr, 10);

    // tdoku requires '.' for blanks and a line feed after the puzzle.
    std::string text, line;
    while (std::getline(file, line)) {
        if (line.size() < 81 || line[0] == '#') continue;
        for (char &cell : line) cell = cell >= '1' && cell <= '9' ? cell : '.';
        text += line.substr(0, 81) + '\n';
    }

    char solution[81];
    size_t guesses;
    auto count = [&](size_t at) { return TdokuSolverDpllTriadSimd(&text[at], limit, 0, solution, &guesses); };
    if (argc == 3) {
        for (size_t at = 0; at < text.size(); at += 82) printf("%zu\n", count(at));
        return 0;
    }
    size_t expected = 0;
    for (size_t at = 0; at < text.size(); at += 82) expected += count(at);
    for (int round = 0; round < atoi(argv[3]); round++) {
        // A round has as many passes as it takes to last 0.1 s.
        const auto start = std::chrono::steady_clock::now();
        std::chrono::duration<double> elapsed{};
        size_t passes = 0;
        for (; passes == 0 || elapsed.count() < 0.1; passes++) {
            // The loop uses every result, so that none of them can be optimised away.
            size_t total = 0;
            for (size_t at = 0; at < text.size(); at += 82) total += count(at);
            if (total != expected) return fprintf(stderr, "results differ between rounds\n"), 1;
            elapsed = std::chrono::steady_clock::now() - start;
        }
        printf("%.0f\n", text.size() / 82 * passes / elapsed.count());
    }
}
