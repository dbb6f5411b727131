import PhotolalaClient

/// Formats photos that are archived in the store, and when to retry.
enum ArchiveLines {
    /// - Parameters:
    ///   - verb: What was not done with them.
    ///   - requested: The number of photos that were requested from the archive.
    ///   - seconds: After how long those are usually available.
    static func lines(
        _ archived: [ArchivedFile], verb: String, requested: Int, after seconds: Int?
    ) -> [String] {
        guard !archived.isEmpty else { return [] }
        var lines = ["\(Counted.files(archived.count)) not \(verb) (archived):"]
        lines += FailureLines.lines(archived)
        if archived.contains(where: { $0.state == .archived }) {
            lines.append(
                "To request them from the archive, add --request-archived to the same command. Retrieval takes hours.")
            lines.append(estimateHint)
        }
        if let seconds {
            lines.append(
                "\(Counted.files(requested)) requested from the archive. Run the same command again in "
                    + "\(time(seconds))."
            )
        } else if archived.contains(where: { $0.state == .onItsWay }) {
            lines.append("Retrieval in progress. Run the same command again later.")
        }
        return lines
    }

    /// The command for photos that a command cannot read because they are archived.
    static let requestHint = "To request archived photos:  photolala recall PATH  (time and cost first: --dry-run)"
    private static let estimateHint = "To see how long it takes and what it costs:  photolala recall --dry-run PATH"

    /// Returns a duration such as `5 minutes` or `12 hours`.
    static func time(_ seconds: Int) -> String {
        seconds < 3600 ? Counted.text((seconds + 59) / 60, "minute") : Counted.text((seconds + 3599) / 3600, "hour")
    }
}
