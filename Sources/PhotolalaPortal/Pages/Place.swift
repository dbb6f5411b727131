import Hummingbird

/// The pages here that one can be sent on to, by name: no address comes from outside.
enum Place: Equatable, CustomStringConvertible {
    case welcome, library, account, links, devices
    /// Where an identity that was proved before the sign-in is linked, if its person wants that.
    case pending
    /// Where an app is let in, with what it asked for.
    case authorize(query: String)
    /// Where a device without a browser is let in, with the code that it shows.
    case device(code: String)

    private static let named: [String: Place] = [
        "welcome": .welcome, "library": .library, "account": .account, "links": .links, "devices": .devices,
        "pending": .pending,
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
        } else if text.hasPrefix("device/"), text.utf8.count <= 50 {
            self = .device(code: text.dropFirst("device/".count).filter { $0.isASCII && ($0.isLetter || $0 == "-") })
        } else {
            return nil
        }
    }

    var description: String {
        if case .authorize(let query) = self { return "authorize?\(query)" }
        if case .device(let code) = self { return "device/\(code)" }
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
        case .authorize(let query): "/authorize?\(query)"
        case .device(let code): code.isEmpty ? "/device" : "/device?user_code=\(code)"
        }
    }

    /// The page from which a request was sent.
    static func of(_ request: Request) -> Place {
        let path = request.uri.path
        if path == "/account/pending" || path == "/account/link" { return .pending }
        if path.hasPrefix("/account/link") || path.hasPrefix("/account/unlink") { return .links }
        if path.hasPrefix("/account/devices") || path.hasPrefix("/account/sign-out") { return .devices }
        if path.hasPrefix("/library") { return .library }
        if path.hasPrefix("/device") { return .device(code: "") }
        return path.hasPrefix("/account") ? .account : .welcome
    }
}
