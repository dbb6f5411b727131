import Accounts
import Foundation
import PhotolalaAPI

/// Verifies Facebook's requests to an app's two callbacks: a form with a request that is signed with the app's secret.
struct SignedRequestVerifier: ProviderEventVerifier {
    let settings: IdentityProviderSettings
    let app: FacebookApp
    let now: @Sendable () -> Date

    var provider: ProviderName { settings.name }

    var callbacks: [ProviderCallback] { [.deauthorize, .dataDeletion] }

    func events(
        in body: some Sequence<UInt8> & Sendable, to callback: ProviderCallback
    ) async throws(IdentityTokenError) -> [ProviderEvent] {
        guard let text = FormParameters(body)?["signed_request"] else { throw .malformed("signed_request") }
        let request = try request(text)
        guard request.issuedAt <= now().addingTimeInterval(settings.leeway) else { throw .notCurrent }
        let kind: ProviderEvent.Kind = callback == .dataDeletion ? .accountDeleted : .consentRevoked
        return [ProviderEvent(kind, subject: request.subject, at: request.issuedAt)]
    }

    private func request(_ text: String) throws(IdentityTokenError) -> SignedRequest {
        do {
            return try SignedRequest(text, secret: app.secret)
        } catch {
            switch error {
            case .badSignature: throw .badSignature
            case .malformed: throw .malformed("signed_request")
            case .algorithmRefused: throw .algorithmRefused
            case .otherUse: throw .ruleNotMet("signed request for another use")
            }
        }
    }
}
