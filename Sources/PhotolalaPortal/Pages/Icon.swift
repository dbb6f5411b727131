/// A picture in a page's HTML.
enum Icon: String, CaseIterable {
    case photos, album, add, cover, place, favorite, archive, unarchive, trash, delete, edit, upload, person, search
    case back, previous, next, play, info, download, close, restore, share, live, more, calendar, camera, remove, recent
    case phone, computer, browser, slideshow, minus, fit

    /// All pictures by name, for templates.
    static let all = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, html(named: $0.rawValue)) })

    var html: String { Self.all[rawValue] ?? "" }

    /// Returns the HTML of a file in `Icons`; empty if there is none.
    static func html(named name: String) -> String { (try? PortalFile.file(.icons, "\(name).svg").text) ?? "" }
}
