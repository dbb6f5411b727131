import PhotolalaClient

/// Formats a purge of the trash.
enum PurgeStrings {
    /// - Parameter selection: The text of ``TrashStrings/selection(_:)``.
    static func question(_ report: PurgeReport, selection: String, account: String) -> String {
        "Permanently delete \(Counted.files(report.files)) (\(ByteText.text(report.bytes)))\(selection) from the trash of "
            + "\(account)? This cannot be undone."
    }

    /// Returns one line for each reason why selected photos are not deleted.
    static func kept(_ report: PurgeReport) -> [String] {
        var lines: [String] = []
        if report.keptContents > 0 {
            lines.append("\(Counted.photos(report.keptContents)) also in your library outside the trash; not deleted.")
        }
        if report.sharedContents > 0 {
            lines.append(
                "\(Counted.photos(report.sharedContents)) also in the trash at paths that are not selected; not deleted."
            )
        }
        if report.recentContents > 0 {
            let them = report.recentContents == 1 ? "it" : "them"
            lines.append(
                "\(Counted.photos(report.recentContents)) not deleted: in the trash for less than 30 days. To delete "
                    + "\(them) anyway, add --now.")
        }
        return lines
    }
}
