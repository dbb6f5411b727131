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

    /// Returns a photo's ID, when and on which device it was moved to the trash, and how long it is kept at least.
    static func remainingTime(of photo: LibraryPhoto, at now: Date) -> String? {
        guard let since = photo.trashed, let until = photo.keptUntil,
            let end = try? Date(until, strategy: .iso8601), let put = try? Date(since, strategy: .iso8601)
        else { return nil }
        let days = min(30, Int((end.timeIntervalSince(now) / 86_400).rounded(.up)))
        let left = days > 0 ? "\(days == 1 ? "1 day" : "\(days) days") left" : "can be purged"
        let moment = min(put, now).formatted(.iso8601).prefix(16).replacing("T", with: " ")
        let device = photo.trashedBy.map { " on “\(Terminal.sanitized($0))”" } ?? ""
        let verb = photo.isReplaced ? "replaced" : "trashed"
        let copy = photo.isInLibrary ? ", still in your library" : ""
        return "id \(photo.md5.prefix(8)), \(verb) \(moment) UTC\(device), \(left)\(copy)"
    }

    /// Returns a version's ID and state, and the device that added it if it is known.
    static func version(_ photo: LibraryPhoto, at now: Date) -> String {
        let state = remainingTime(of: photo, at: now) ?? "id \(photo.md5.prefix(8)), current"
        return state + (photo.addedBy.map { ", added on “\(Terminal.sanitized($0))”" } ?? "")
    }

    /// Returns a selection as a person named it, for example `, selected by “2023/Trip”,`; empty for everything.
    static func selection(_ wanted: FilterOptions) -> String {
        guard wanted.isSpecified else { return "" }
        let names = wanted.paths.prefix(namedPaths).map { "“\(Terminal.sanitized($0))”" }
        let more = wanted.paths.count > namedPaths ? ["\(wanted.paths.count - namedPaths) more"] : []
        var unnamed = wanted
        unnamed.paths = []
        let filters = unnamed.isSpecified ? ["the filters"] : []
        return ", selected by \((names + more + filters).joined(separator: ", ")),"
    }

    private static let namedPaths = 3
}
