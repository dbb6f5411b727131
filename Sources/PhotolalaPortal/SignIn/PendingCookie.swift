import Flows
import Foundation
import PhotolalaAPI

/// An identity that was proved and opens no account, with the hints that may be given: in a cookie, so that neither
/// addresses nor pages hold it. It is sealed for this browser by the flow that made it.
struct PendingCookie {
    let provider: ProviderName
    let hints: [ProviderName]
    let sealed: String
    /// Where its person was on the way to.
    let place: Place

    init(_ identity: UnknownIdentity, to place: Place) {
        self.place = place
        provider = identity.provider
        hints = identity.hints
        sealed = identity.pendingIdentity
    }

    /// - Parameter wanted: of which provider it must be; any when left out.
    init?(_ value: String, for wanted: ProviderName? = nil) {
        let parts = value.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, let provider = ProviderName(String(parts[0])), wanted ?? provider == provider else {
            return nil
        }
        self.provider = provider
        hints = parts[1].split(separator: ".").compactMap { ProviderName(String($0)) }
        sealed = String(parts[2])
        place = String(parts[3]).removingPercentEncoding.flatMap { Place($0) } ?? .account
    }

    /// Names it in the forms of a page, which act on this one alone.
    var mark: String { String(sealed.suffix(22)) }

    /// What a form acts on: the one that its page showed.
    /// - Throws: `formOutdated` where there is another one meanwhile, `invalidPendingIdentity` where there is none.
    static func named(by form: Form, in visit: Visit) throws(FlowError) -> PendingCookie {
        guard let pending = visit.cookies[.pending].flatMap({ PendingCookie($0) }) else {
            throw .invalidPendingIdentity(.expired)
        }
        guard form["pending"] == pending.mark else { throw .formOutdated }
        return pending
    }

    /// Names of providers and what is sealed have none of the signs that keep them apart.
    var value: String {
        "\(provider)/\(hints.map(\.description).joined(separator: "."))/\(sealed)/\(Form.escaped("\(place)"))"
    }
}
