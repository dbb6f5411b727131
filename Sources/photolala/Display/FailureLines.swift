import PhotolalaClient

/// Failed files, a line each; a long list is cut, for `--json` has it whole.
enum FailureLines {
    private static let limit = 20

    static func lines(_ failures: [FileFailure]) -> [String] {
        var lines = failures.prefix(limit).map {
            "  \(Terminal.harmless($0.path)): \(Terminal.harmless($0.reason))"
        }
        if failures.count > limit { lines.append("  … and \(failures.count - limit) more (--json lists them all)") }
        return lines
    }

    static func lines(_ beside: [KeptBeside]) -> [String] {
        beside.prefix(limit).map {
            "  \(Terminal.harmless($0.path)) was taken; the other one is \(Terminal.harmless($0.beside))"
        }
    }
}
