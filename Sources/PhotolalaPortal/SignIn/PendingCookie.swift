import Accounts
import Flows
import Foundation
import Hummingbird
import PhotolalaAPI

/// An identity that was proved and opens no account, with the hints that may be given: in a cookie, so that neither
/// addresses nor pages hold it. It is sealed for this browser by the flow that made it.
///
/// Where its person was on the way to is in a cookie of its own: a browser drops a cookie of more than 4,096 bytes, and an
/// app's request alone may have 2,048.
struct PendingCookie {
    /// The most hints that are kept: together with what `Browser.longestKept` allows they fit into a cookie.
    private static let hints = 8

    let provider: ProviderName
    let hints: [ProviderName]
    let sealed: String
    /// Where its person was on the way to.
    let place: Place

    init(_ identity: UnknownIdentity, to place: Place) {
        self.place = place
        provider = identity.provider
        hints = Array(identity.hints.prefix(Self.hints))
        sealed = identity.pendingIdentity
    }

    /// - Parameter wanted: of which provider it must be; any when left out.
    init?(_ cookies: PortalCookies, for wanted: ProviderName? = nil) {
        // Earlier versions wrote a fourth part, the place.
        let parts = cookies[.pending]?.split(separator: "/", omittingEmptySubsequences: false) ?? []
        guard (3...4).contains(parts.count), let provider = ProviderName(String(parts[0])),
            wanted ?? provider == provider
        else { return nil }
        self.provider = provider
        hints = parts[1].split(separator: ".").compactMap { ProviderName(String($0)) }
        sealed = String(parts[2])
        place = Self.place(cookies[.place], of: Self.mark(of: sealed)) ?? .account
    }

    /// Names it in the forms of a page, which act on this one alone.
    var mark: String { Self.mark(of: sealed) }

    /// What a form acts on: the one that its page showed.
    /// - Throws: `formOutdated` where there is another one meanwhile, `invalidPendingIdentity` where there is none.
    static func named(by form: Form, in visit: Visit) throws(FlowError) -> PendingCookie {
        guard let pending = PendingCookie(visit.cookies) else { throw .invalidPendingIdentity(.expired) }
        guard form["pending"] == pending.mark else { throw .formOutdated }
        return pending
    }

    /// Names of providers and what is sealed have none of the signs that keep them apart.
    fileprivate var value: String {
        "\(provider)/\(hints.map(\.description).joined(separator: "."))/\(sealed)"
    }

    /// The place, with the mark of the identity that it belongs to.
    fileprivate var placeValue: String { "\(mark).\(Data("\(place)".utf8).base64EncodedString())" }

    private static func mark(of sealed: String) -> String { String(sealed.suffix(22)) }

    private static func place(_ value: String?, of mark: String) -> Place? {
        let parts = value?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, parts[0] == mark, let bytes = Data(base64Encoded: String(parts[1])) else { return nil }
        return String(validating: bytes, as: UTF8.self).flatMap { Place($0) }
    }
}

extension Response {
    /// Lets the browser keep an identity until it ends.
    mutating func set(_ pending: PendingCookie) {
        let seconds = Int(PendingIdentities.lifetime)
        set(.pending, to: pending.value, for: seconds)
        set(.place, to: pending.placeValue, for: seconds)
    }

    /// Has the browser drop the identity.
    mutating func removePending() {
        remove(.pending)
        remove(.place)
    }
}
