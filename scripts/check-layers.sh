#!/usr/bin/env bash
# Fails if a module of the library imports from a module that is not below it.
#
# Resolves paths that start with `crate` or `super`, in `use` declarations and elsewhere. Names that the crate root or
# `file` re-exports belong to the module that defines them. Comments and unit tests are ignored.
set -euo pipefail
cd "$(dirname "$0")/.."

# module -> modules that it may import from
layers='
file        dedup canon copies explain solver technique cancel outcome grid text simd verify parallel
dedup       canon solver outcome grid simd parallel cancel
generate    canon solver lanes outcome grid simd parallel cancel
canon       solver outcome grid simd parallel
copies      grid simd
explain     solver technique outcome grid cancel
solver      lanes scalar restart cancel outcome grid text simd parallel
solutions   lanes scalar cancel outcome grid simd
lanes       restart simd outcome grid parallel cancel
scalar      restart cancel outcome grid
restart     outcome grid cancel
outcome     grid cancel
technique   grid
verify      grid
text        grid simd
simd
grid
parallel
cancel

file/solve    file/table file/run file/record file/write file/error
file/dedup    file/run file/table file/record file/read file/write file/error file/stats file/threads
file/sets     file/table file/run file/record file/write file/error
file/describe file/run file/record file/write file/error file/stats
file/run      file/table file/record file/read file/write file/error file/stats file/threads file/sync
file/table    file/record file/write
file/record   file/read file/error
file/write    file/error file/pipe file/threads
file/read     file/error file/pipe
file/threads  file/error
file/pipe
file/stats
file/sync
file/error    file/escape
file/escape
'

# Excludes the roots and `internal`, which only re-export, and `serialize`, which covers all types.
find src -name '*.rs' ! -path src/lib.rs ! -path src/file/mod.rs ! -path src/file/internal.rs ! -path src/serialize.rs \
    ! -name tests.rs | sort |
    xargs awk -v layers="$layers" '
    # Returns the paths of a tree such as `crate::{a, b::{c, d}}`, separated by spaces.
    function flatten(tree,    open, depth, at, start, c, prefix, result) {
        open = index(tree, "{")
        if (open == 0) { sub(/ as .*/, "", tree); gsub(/ /, "", tree); return tree }
        prefix = substr(tree, 1, open - 1)
        gsub(/ /, "", prefix)
        start = open + 1
        depth = 0
        for (at = start; at <= length(tree); at++) {
            c = substr(tree, at, 1)
            if (c == "{") depth++
            if (depth == 0 && (c == "," || c == "}")) {
                if (substr(tree, start, at - start) ~ /[^ ]/)
                    result = result " " flatten(prefix substr(tree, start, at - start))
                start = at + 1
            }
            if (c == "}" && depth-- == 0) break
        }
        return result
    }

    # Returns the module of a path without `crate::`. The path may name a re-export.
    function module(path, where,    parts, n) {
        n = split(path, parts, "::")
        if (parts[1] in exported) parts[1] = exported[parts[1]]
        if (!(parts[1] in is_module)) { fail(where ": the module of crate::" path " is unknown"); return "" }
        if (parts[1] != "file" || n == 1) return parts[1]
        if (("file::" parts[2]) in exported) parts[2] = exported["file::" parts[2]]
        if (!(("file/" parts[2]) in is_module)) { fail(where ": the module of crate::" path " is unknown"); return "" }
        return "file/" parts[2]
    }

    # Returns the module of a file, as `a::b`.
    function own(file) {
        sub(/^src\//, "", file)
        sub(/(\/mod)?\.rs$/, "", file)
        gsub(/\//, "::", file)
        return file
    }

    function top(path) { sub(/[\/:].*/, "", path); return path }

    function look(path, where,    base, target, source) {
        source = own(FILENAME)
        if (path ~ /^crate::/) {
            target = substr(path, 8)
        } else if (path ~ /^super(::|$)/) {
            base = source
            while (path ~ /^super(::|$)/) {
                if (base !~ /::/) base = ""
                sub(/::[^:]*$/, "", base)
                sub(/^super(::)?/, "", path)
            }
            target = base == "" ? path : (path == "" ? base : base "::" path)
            if (target == "") return
        } else {
            return
        }
        target = module(target, where)
        source = module(source, where)
        if (target == "" || target == source || top(source) == top(target) && (source == "file" || target == "file")) return
        checked++
        if (top(source) != top(target)) { source = top(source); target = top(target) }
        if (!((source, target) in allowed)) fail(where ": " source " may not import from " target)
    }

    function fail(message) { print message > "/dev/stderr"; failures++ }

    function code(line) { sub(/\/\/.*/, "", line); return line }

    function read_exports(file, prefix,    line, statement, paths, n, i, first, last) {
        while ((getline line < file) > 0) {
            line = code(line)
            if (line ~ /^ *pub(\(.*\))? use /) statement = ""
            else if (statement == "-") continue
            statement = statement " " line
            if (line !~ /;/) continue
            if (statement ~ /pub(\(.*\))? use /) {
                sub(/.*pub(\([^)]*\))? use /, "", statement)
                sub(/;.*/, "", statement)
                n = split(flatten(statement), paths, " ")
                for (i = 1; i <= n; i++) {
                    first = last = paths[i]
                    sub(/::.*/, "", first)
                    sub(/.*::/, "", last)
                    exported[prefix last] = first
                }
            }
            statement = "-"
        }
        close(file)
    }

    BEGIN {
        n = split(layers, lines, "\n")
        for (i = 1; i <= n; i++) {
            m = split(lines[i], words, " ")
            if (m == 0) continue
            is_module[words[1]] = 1
            for (j = 2; j <= m; j++) allowed[words[1], words[j]] = 1
        }
        read_exports("src/lib.rs", "")
        read_exports("src/file/mod.rs", "file::")
    }

    FNR == 1 { statement = ""; in_tests = 0 }
    /^#\[cfg\((all\()?test/ { in_tests = 1 }
    in_tests { if ($0 ~ /^}/ || $0 ~ /^(pub )?mod [a-z_]*;/ || $0 ~ /^use .*;/) in_tests = 0; next }
    {
        line = code($0)
        if (statement == "" && line ~ /^ *(pub(\([^)]*\))? )?use /) { statement = " "; from = FNR }
        if (statement != "") {
            statement = statement line
            if (line !~ /;/) next
            sub(/^ *(pub(\([^)]*\))? )?use /, "", statement)
            sub(/;.*/, "", statement)
            n = split(flatten(statement), paths, " ")
            for (i = 1; i <= n; i++) look(paths[i], FILENAME ":" from)
            statement = ""
            next
        }
        while (match(line, /(crate|super)(::[A-Za-z_0-9]+)+/)) {
            path = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            look(path, FILENAME ":" FNR)
        }
    }

    END {
        if (checked < 50) fail("only " checked + 0 " imports were found, which cannot be all")
        if (failures) exit 1
        print checked " imports between modules are allowed"
    }'
