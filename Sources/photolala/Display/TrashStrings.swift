import Foundation
import PhotolalaClient

/// Formats information about the trash.
enum TrashStrings {
    /// Returns, for example, `12 files (34 MB, including 3 companion files)`.
    static func files(_ report: TrashReport) -> String {
        let others = report.companionFiles
        let companions =
            others > 0 ? ", including \(others == 1 ? "1 companion file" : "\(others) companion files")" : ""
        return "\(Counted.files(report.files)) (\(ByteText.text(report.bytes))\(companions))"
    }

    /// Returns a photo's ID, when it was moved to the trash, and how long it is kept at least.
    static func remainingTime(of photo: LibraryPhoto, at now: Date) -> String? {
        guard let since = photo.trashed, let until = photo.keptUntil,
            let end = try? Date(until, strategy: .iso8601), let put = try? Date(since, strategy: .iso8601)
        else { return nil }
        // The date in the catalog is half an hour, at most an hour, later than the removal.
        let days = min(30, Int((end.timeIntervalSince(now) / 86_400).rounded(.up)))
        let left = days > 0 ? "\(days == 1 ? "1 day" : "\(days) days") left" : "can be purged"
        let moment = min(put - 1800, now).formatted(.iso8601).prefix(16).replacing("T", with: " ")
        return "id \(photo.md5.prefix(8)), trashed \(moment) UTC, \(left)"
    }
}
