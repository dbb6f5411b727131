import Hummingbird

/// The pages here that one can be sent on to, by name: no address comes from outside.
enum Place: Equatable, CustomStringConvertible {
    case welcome, account, links, devices
    /// Where an identity that was proved before the sign-in is linked, if its person wants that.
    case pending
    /// Where an app is let in, with what it asked for.
    case authorize(query: String)

    private static let named: [String: Place] = [
        "welcome": .welcome, "account": .account, "links": .links, "devices": .devices, "pending": .pending,
    ]

    /// The longest query of an app that is remembered on the way, in bytes.
    private static let longestQuery = 2048

    /// Reads what `description` wrote.
    init?(_ text: String) {
        if let place = Self.named[text] {
            self = place
        } else if text.hasPrefix("authorize?"), text.utf8.count <= Self.longestQuery,
            text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        {
            self = .authorize(query: String(text.dropFirst("authorize?".count)))
        } else {
            return nil
        }
    }

    var description: String {
        if case .authorize(let query) = self { return "authorize?\(query)" }
        return Self.named.first { $0.value == self }?.key ?? ""
    }

    var path: String {
        switch self {
        case .welcome: "/"
        case .account: Section.account.path
        case .links: Section.links.path
        case .devices: Section.devices.path
        case .pending: "/account/pending"
        case .authorize(let query): "/authorize?\(query)"
        }
    }

    /// The page from which a request was sent.
    static func of(_ request: Request) -> Place {
        let path = request.uri.path
        if path == "/account/pending" || path == "/account/link" { return .pending }
        if path.hasPrefix("/account/link") || path.hasPrefix("/account/unlink") { return .links }
        if path.hasPrefix("/account/devices") || path.hasPrefix("/account/sign-out") { return .devices }
        return path.hasPrefix("/account") ? .account : .welcome
    }
}
