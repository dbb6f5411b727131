import Crypto
import Foundation
import PhotolalaAPI
import Sharing

/// A caller whose calls are counted together.
enum RateLimitKey: Hashable, Sendable {
    case unknownAddress
    case address(UInt32)
    /// An IPv6 host owns a /64 prefix.
    case network(UInt64)
    /// The owner of a /64 often owns the whole /48, so the /48 has a bucket too.
    case site(UInt64)
    /// An identity at a provider, by the first 8 bytes of its hash.
    case identity(UInt64)
    /// A session, by the first 8 bytes of its id.
    case session(UInt64)
    /// An account, by the first 8 bytes of its id.
    case account(UInt64)
    /// What the sessions on a device have beyond their account's calls for protecting the account, by the first 8 bytes of
    /// a hash of both ids.
    case reserve(UInt64)
    case everyone
    /// An e-mail address for which account hints are requested, by the first 8 bytes of its hash.
    case hint(UInt64)
    /// A shared link whose views are counted, by the first 8 bytes of a hash of its id.
    case views(UInt64)
    /// A shared link whose password is tried, by the first 8 bytes of a hash of its id.
    case password(UInt64)

    /// The hints for an address, at once and in ten minutes.
    static let hintCapacity = 5.0
    /// The passwords that can be tried for a shared link, at once and in ten minutes.
    static let passwordCapacity = 20.0
    /// The views of a shared link that are counted in a minute.
    static let viewCapacity = 60.0
    /// How many calls a minute a device's reserve has: enough to refresh, list, authenticate again and remove.
    static let reserve = 20.0
    /// How many times the calls of one network a site has.
    static let siteFactor = 16.0

    init(_ provider: ProviderName, subject: String) { self = .identity(Self.hashPrefix("\(provider)\n\(subject)")) }

    init(hintFor address: String) { self = .hint(Self.hashPrefix(address.asciiLowercased)) }

    init(passwordOf link: SharedLinkID) { self = .password(Self.hashPrefix(link.description)) }

    init(viewsOf link: SharedLinkID) { self = .views(Self.hashPrefix(link.description)) }

    init(_ session: SessionID) { self = .session(Self.prefix(of: session.uuid)) }

    init(reserveOf device: DeviceID, of user: UserID) {
        self = .reserve(Self.hashPrefix("\(user)\n\(device)"))
    }

    init(_ user: UserID) { self = .account(Self.prefix(of: user.uuid)) }

    private static func prefix(of id: UUID) -> UInt64 {
        withUnsafeBytes(of: id) { $0.loadUnaligned(as: UInt64.self).bigEndian }
    }

    private static func hashPrefix(_ text: String) -> UInt64 {
        SHA256.hash(data: Data(text.utf8)).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self).bigEndian }
    }

    /// Returns the burst size; 0 means no limit.
    func capacity(_ rates: CallRates) -> Double {
        switch self {
        case .unknownAddress, .address, .network: Double(rates.address)
        case .site: Double(rates.address) * Self.siteFactor
        case .identity, .session: Double(rates.identity)
        case .account: Double(rates.account)
        case .reserve: Self.reserve
        case .everyone: Double(rates.total)
        case .hint: rates.identity > 0 ? Self.hintCapacity : 0
        case .views: Self.viewCapacity
        case .password: Self.passwordCapacity
        }
    }
}

extension RateLimitKey {
    /// The seconds in which an empty bucket fills.
    var refillTime: Double {
        hasFewCalls ? 600 : 60
    }

    /// Whether the caller has few calls, so that each is shared with other instances.
    var hasFewCalls: Bool {
        switch self {
        case .hint, .password: true
        default: false
        }
    }

    /// How far below zero calls at other instances can push the bucket, as a multiple of its capacity. The bucket of
    /// all clients never goes below zero, because most clients did not make those calls.
    var maximumDebt: Double { self == .everyone ? 0 : 9 }
}

/// The source of a call, as rate limits see it.
package struct ClientRateLimitKey: Sendable {
    let key: RateLimitKey
    let site: RateLimitKey?

    /// - Parameter address: the address; `nil` if unknown. All clients with an unknown address are counted together.
    package init(ipv4 address: UInt32?) {
        key = address.map { .address($0) } ?? .unknownAddress
        site = nil
    }

    package init(ipv6 address: UInt128) {
        key = .network(UInt64(truncatingIfNeeded: address >> 64))
        site = .site(UInt64(truncatingIfNeeded: address >> 80))
    }
}

/// The kind and the number in hexadecimal, as instances exchange it.
extension RateLimitKey: CustomStringConvertible {
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
        case .views(let number): "v\(String(number, radix: 16))"
        case .password(let number): "p\(String(number, radix: 16))"
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
            case "v": self = .views(number)
            case "p": self = .password(number)
            default: return nil
            }
        }
    }
}
