import Hummingbird

/// The pages here that one can be sent on to, by name: no address comes from outside.
enum Place: String, CustomStringConvertible {
    case welcome, account, links, devices
    /// Where an identity that was proved before the sign-in is linked, if its person wants that.
    case pending

    var description: String { rawValue }

    var path: String {
        switch self {
        case .welcome: "/"
        case .account: Section.account.path
        case .links: Section.links.path
        case .devices: Section.devices.path
        case .pending: "/account/pending"
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
