import PhotolalaClient

/// Failed files, a line each; a long list is cut, for `--json` has it whole.
enum FailureLines {
    private static let limit = 20

    static func lines(_ failures: [FileFailure]) -> [String] {
        cut(failures.map { "  \(Terminal.harmless($0.path)): \(Terminal.harmless($0.reason))" })
    }

    static func lines(_ archived: [ArchivedFile]) -> [String] {
        cut(archived.map { "  \(Terminal.harmless($0.path)): \(Terminal.harmless($0.reason))" })
    }

    static func lines(_ paths: [String]) -> [String] { cut(paths.map { "  \(Terminal.harmless($0))" }) }

    static func lines(_ beside: [KeptBeside]) -> [String] {
        cut(
            beside.map { "  \(Terminal.harmless($0.path)) was taken; the other one is \(Terminal.harmless($0.beside))" }
        )
    }

    static func lines(_ sameNames: [[String]]) -> [String] {
        cut(
            sameNames.map {
                "  \($0.map(Terminal.harmless).joined(separator: " and ")) are one name on other systems"
            })
    }

    private static func cut(_ lines: [String]) -> [String] {
        guard lines.count > limit else { return lines }
        return lines.prefix(limit) + ["  … and \(lines.count - limit) more (--json lists them all)"]
    }
}
