import Hummingbird
import IdentityProviders
import PhotolalaAPI

/// The pages to which a browser is sent after a sign-in or an error. Only these: an address from outside is refused.
enum Place: Equatable, CustomStringConvertible {
    case welcome, library, account, links, devices
    /// A page of the signed-in person, with its query: one of `Place.pages`.
    case page(String)
    /// Where an identity that was proved before the sign-in is linked, if its person wants that.
    case pending
    /// Where an app is let in, with what it asked for.
    case authorize(query: String)
    /// Where an identity is proved for an app, with what the app asked for.
    case prove(query: String)
    /// Where a device without a browser is approved. The code is typed there and comes from no address.
    case device

    private static let named: [String: Place] = [
        "welcome": .welcome, "library": .library, "account": .account, "links": .links, "devices": .devices,
        "pending": .pending, "device": .device,
    ]

    /// The longest query of an app that is remembered on the way, in bytes.
    private static let longestQuery = 2048
    /// The longest address of a page that is remembered on the way, in bytes.
    private static let longestPage = 200
    /// Pages that can be linked to; none of them does anything.
    private static let pages: Set<Substring> =
        Set(Section.allCases.map { $0.path[...] } + ["/library/trash", "/library/photo"])

    /// Reads what `description` wrote.
    init?(_ text: String) {
        if let place = Self.named[text] ?? Self.named.values.first(where: { $0.path == text }) {
            self = place
        } else if let query = Self.query(of: text, after: "authorize?") {
            self = .authorize(query: query)
        } else if let query = Self.query(of: text, after: "prove?") {
            self = .prove(query: query)
        } else if text.utf8.count <= Self.longestPage, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }),
            Self.pages.contains(text.prefix { $0 != "?" })
        {
            self = .page(text)
        } else {
            return nil
        }
    }

    private static func query(of text: String, after name: String) -> String? {
        guard text.hasPrefix(name), text.utf8.count <= longestQuery,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else { return nil }
        return String(text.dropFirst(name.count))
    }

    var description: String {
        if case .prove(let query) = self { return "prove?\(query)" }
        if case .authorize(let query) = self { return "authorize?\(query)" }
        if case .page(let path) = self { return path }
        return Self.named.first { $0.value == self }?.key ?? ""
    }

    var path: String {
        switch self {
        case .welcome: "/"
        case .library: Section.library.path
        case .account: Section.account.path
        case .links: Section.links.path
        case .devices: Section.devices.path
        case .pending: "/account/pending"
        case .page(let path): path
        case .authorize(let query): "/authorize?\(query)"
        case .prove(let query): "/prove?\(query)"
        case .device: "/device"
        }
    }

    /// The provider that the person chose in the app that sent them.
    var provider: ProviderName? {
        guard case .authorize(let query) = self else { return nil }
        return FormParameters(query.utf8)?["provider"].flatMap { ProviderName($0) }
    }

    /// The page that a request asks for, or the one whose form it sends.
    static func of(_ request: Request) -> Place {
        if request.method == .get, let page = Place(request.uri.description) { return page }
        let path = request.uri.path
        if path == "/account/pending" || path == "/account/link" { return .pending }
        if path.hasPrefix("/account/link") || path.hasPrefix("/account/unlink") { return .links }
        if path.hasPrefix("/account/devices") || path.hasPrefix("/account/sign-out") { return .devices }
        if path.hasPrefix("\(PhotoList.trash.path)/") { return .page(PhotoList.trash.path) }
        if path.hasPrefix("/library") { return .library }
        if path.hasPrefix("/device") { return .device }
        return path.hasPrefix("/account") ? .account : .welcome
    }
}
