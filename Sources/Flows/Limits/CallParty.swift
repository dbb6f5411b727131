import Crypto
import Foundation
import PhotolalaAPI

/// Whose calls are counted together.
enum CallParty: Hashable, Sendable {
    case unknownAddress
    case address(UInt32)
    /// An IPv6 host owns a /64.
    case network(UInt64)
    /// Who owns one /64 often owns the whole /48, so that has a bucket too.
    case site(UInt64)
    /// A provider's identity, by the beginning of its hash.
    case identity(UInt64)
    /// A session, by the beginning of its id.
    case session(UInt64)
    /// An account, by the beginning of its id.
    case account(UInt64)
    /// What a session has beyond its account's calls for protecting the account, by the beginning of its id.
    case reserve(UInt64)
    case everyone
    /// An e-mail address whose owner asks which account it has, by the beginning of its hash.
    case hint(UInt64)

    /// How many hints an address is given at once, and in ten minutes.
    static let hints = 5.0
    /// How many calls a minute a session's reserve has: enough to refresh, list, authenticate again and remove.
    static let reserve = 20.0
    /// How many times the calls of one network a site has.
    static let siteFactor = 16.0

    init(_ provider: ProviderName, subject: String) { self = .identity(Self.number("\(provider)\n\(subject)")) }

    init(hintFor address: String) { self = .hint(Self.number(address.asciiLowercased)) }

    init(_ session: SessionID) { self = .session(Self.beginning(of: session.uuid)) }

    init(reserveOf session: SessionID) { self = .reserve(Self.beginning(of: session.uuid)) }

    init(_ user: UserID) { self = .account(Self.beginning(of: user.uuid)) }

    private static func beginning(of id: UUID) -> UInt64 {
        withUnsafeBytes(of: id) { $0.loadUnaligned(as: UInt64.self).bigEndian }
    }

    private static func number(_ text: String) -> UInt64 {
        SHA256.hash(data: Data(text.utf8)).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self).bigEndian }
    }

    /// How many calls there may be at once; 0 where there is no limit.
    func capacity(_ rates: CallRates) -> Double {
        switch self {
        case .unknownAddress, .address, .network: Double(rates.address)
        case .site: Double(rates.address) * Self.siteFactor
        case .identity, .session: Double(rates.identity)
        case .account: Double(rates.account)
        case .reserve: Self.reserve
        case .everyone: Double(rates.total)
        case .hint: rates.identity > 0 ? Self.hints : 0
        }
    }
}

extension CallParty {
    /// In how many seconds an empty bucket is full.
    var fillTime: Double {
        isRare ? 600 : 60
    }

    /// Whether each of its calls counts for much.
    var isRare: Bool { if case .hint = self { true } else { false } }

    /// How many times its calls it may owe for what it did at other copies. All clients together owe nothing: most of them
    /// did not do it.
    var debt: Double { self == .everyone ? 0 : 9 }
}

/// Where a call comes from, as far as limits look at it.
package struct ClientParty: Sendable {
    let party: CallParty
    let site: CallParty?

    /// - Parameter address: `nil` where it is not known; all such clients are counted together.
    package init(ipv4 address: UInt32?) {
        party = address.map { .address($0) } ?? .unknownAddress
        site = nil
    }

    package init(ipv6 address: UInt128) {
        party = .network(UInt64(truncatingIfNeeded: address >> 64))
        site = .site(UInt64(truncatingIfNeeded: address >> 80))
    }
}

/// Its kind and its number in hexadecimal, as copies tell each other of it.
extension CallParty: CustomStringConvertible {
    var description: String {
        switch self {
        case .unknownAddress: "-"
        case .address(let number): "a\(String(number, radix: 16))"
        case .network(let number): "n\(String(number, radix: 16))"
        case .site(let number): "s\(String(number, radix: 16))"
        case .identity(let number): "i\(String(number, radix: 16))"
        case .session(let number): "c\(String(number, radix: 16))"
        case .account(let number): "u\(String(number, radix: 16))"
        case .reserve(let number): "r\(String(number, radix: 16))"
        case .hint(let number): "h\(String(number, radix: 16))"
        case .everyone: "*"
        }
    }

    init?(_ text: String) {
        switch text {
        case "-": self = .unknownAddress
        case "*": self = .everyone
        default:
            guard let number = UInt64(text.dropFirst(), radix: 16) else { return nil }
            switch text.first {
            case "a":
                guard let number = UInt32(exactly: number) else { return nil }
                self = .address(number)
            case "n": self = .network(number)
            case "s": self = .site(number)
            case "i": self = .identity(number)
            case "c": self = .session(number)
            case "u": self = .account(number)
            case "r": self = .reserve(number)
            case "h": self = .hint(number)
            default: return nil
            }
        }
    }
}
