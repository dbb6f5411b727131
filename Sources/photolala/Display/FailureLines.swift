import PhotolalaClient

/// Formats failed files, one per line. Long lists are truncated; `--json` prints all of them.
enum FailureLines {
    private static let limit = 20

    static func lines(_ failures: [FileFailure]) -> [String] {
        cut(failures.map { "  \(Terminal.sanitized($0.path)): \(Terminal.sanitized($0.reason))" })
    }

    static func lines(_ archived: [ArchivedFile]) -> [String] {
        cut(archived.map { "  \(Terminal.sanitized($0.path)): \(Terminal.sanitized($0.reason))" })
    }

    static func lines(_ paths: [String]) -> [String] { cut(paths.map { "  \(Terminal.sanitized($0))" }) }

    static func lines(_ renamed: [KeptBeside]) -> [String] {
        cut(
            renamed.map {
                "  \(Terminal.sanitized($0.path)) already exists and differs; the other version is "
                    + Terminal.sanitized($0.alternativePath)
            }
        )
    }

    static func lines(_ sameNames: [[String]]) -> [String] {
        cut(
            sameNames.map {
                "  \($0.map(Terminal.sanitized).joined(separator: " and ")) differ only in case or Unicode form"
            })
    }

    /// Formats omitted files, one line per reason with examples. The reasons appear in the order of the files.
    static func leftOut(_ files: [FileFailure]) -> [String] {
        var (reasons, paths) = ([String](), [String: [String]]())
        for file in files {
            if paths[file.reason] == nil { reasons.append(file.reason) }
            paths[file.reason, default: []].append(Terminal.sanitized(file.path))
        }
        guard !reasons.isEmpty else { return [] }
        let lines = reasons.map { reason in
            let all = paths[reason] ?? []
            let more = all.count > examples ? ", … and \(all.count - examples) more (--json lists them all)" : ""
            return
                "  \(Terminal.sanitized(reason)) (\(all.count)): \(all.prefix(examples).joined(separator: ", "))\(more)"
        }
        return ["Skipped \(Counted.files(files.count)):"] + lines
    }

    private static let examples = 5

    private static func cut(_ lines: [String]) -> [String] {
        guard lines.count > limit else { return lines }
        return lines.prefix(limit) + ["  … and \(lines.count - limit) more (--json lists them all)"]
    }
}
