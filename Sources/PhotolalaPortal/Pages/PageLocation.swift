import Hummingbird
import IdentityProviders
import PhotolalaAPI

/// A page that a browser may continue to after a sign-in or an error. Any other address is refused.
enum PageLocation: Equatable, CustomStringConvertible {
    case welcome, library, account, links, devices
    /// A page for signed-in persons with its query; one of `Place.pages`.
    case page(String)
    /// The page that offers to link a pending identity after the sign-in.
    case pending
    /// The page that authorizes an app, with the app's query.
    case authorize(query: String)
    /// The page that verifies an identity for an app, with the app's query.
    case authenticateForApp(query: String)
    /// The page that approves a device without a browser. The code is typed there and is never part of the address.
    case device
    /// The page that accepts the codes of a deletion.
    case deletion

    /// Where a person arrives who asked for no page.
    static let home = PageLocation.library

    private static let fixedLocations: [String: PageLocation] = [
        "welcome": .welcome, "library": .library, "account": .account, "links": .links, "devices": .devices,
        "pending": .pending, "device": .device, "deletion": .deletion,
    ]

    /// The longest app query or page address that is preserved across a sign-in, in bytes. The address of the longest
    /// search has about 1,900.
    private static let maximumLength = 2048
    /// Pages that may be linked to. A GET request to them has no side effects.
    private static let pages: Set<Substring> =
        Set(
            Section.allCases.map { $0.path[...] }
                + [
                    DeleteAccountPage.path[...], ExportPage.path[...], "/library/trash", "/library/photo",
                    PurgePages.allPath[...], PurgePages.chosenPath[...],
                ])

    /// Parses the text that `description` returns.
    init?(_ text: String) {
        if let location = Self.fixedLocations[text] ?? Self.fixedLocations.values.first(where: { $0.path == text }) {
            self = location
        } else if let query = Self.query(of: text, after: "authorize?") {
            self = .authorize(query: query)
        } else if let query = Self.query(of: text, after: "prove?") {
            self = .authenticateForApp(query: query)
        } else if text.utf8.count <= Self.maximumLength, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            Self.pages.contains(text.prefix { $0 != "?" })
        {
            self = .page(text)
        } else {
            return nil
        }
    }

    private static func query(of text: String, after name: String) -> String? {
        guard text.hasPrefix(name), text.utf8.count <= maximumLength,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        return String(text.dropFirst(name.count))
    }

    var description: String {
        if case .authenticateForApp(let query) = self { return "prove?\(query)" }
        if case .authorize(let query) = self { return "authorize?\(query)" }
        if case .page(let path) = self { return path }
        return Self.fixedLocations.first { $0.value == self }?.key ?? ""
    }

    var path: String {
        switch self {
        case .welcome: "/"
        case .library: Section.photos.path
        case .account: Section.overview.path
        case .links: Section.links.path
        case .devices: Section.devices.path
        case .pending: "/account/pending"
        case .page(let path): path
        case .authorize(let query): "/authorize?\(query)"
        case .authenticateForApp(let query): "/prove?\(query)"
        case .device: "/device"
        case .deletion: DeletionCodePage.path
        }
    }

    /// The section of the account to which the page belongs, if any.
    var accountSection: Section? {
        let path = path.prefix { $0 != "?" && $0 != "#" }
        return Section.account.first { $0.path == path } ?? (path.hasPrefix("/account/") ? .overview : nil)
    }

    /// The provider that the person chose in the requesting app.
    var provider: ProviderName? {
        guard case .authorize(let query) = self else { return nil }
        return FormParameters(query.utf8)?["provider"].flatMap { ProviderName($0) }
    }

    /// Returns the page that a request asks for, or the page whose form it sends.
    static func of(_ request: Request) -> PageLocation {
        if request.method == .get, let page = PageLocation(request.uri.description) { return page }
        let path = request.uri.path
        if path == "/account/pending" || path == "/account/link" { return .pending }
        if path.hasPrefix("/account/link") || path.hasPrefix("/account/unlink") { return .links }
        if path.hasPrefix("/account/devices") || path.hasPrefix("/account/sign-out") { return .devices }
        if path.hasPrefix("\(PhotoList.trash.path)/") { return .page(PhotoList.trash.path) }
        if path == DeleteAccountPage.path { return .page(path) }
        if path.hasPrefix(ExportPage.path) { return .page(ExportPage.path) }
        if path.hasPrefix(DeletionCodePage.path) { return .deletion }
        let sections = [Section.albums, .favorites, .archive, .sharedLinks].map(\.path)
        if let section = sections.first(where: { path == $0 || path.hasPrefix("\($0)/") }) { return .page(section) }
        if path.hasPrefix("/library") { return .library }
        if path.hasPrefix("/device") { return .device }
        return path.hasPrefix("/account") ? .account : .welcome
    }
}
