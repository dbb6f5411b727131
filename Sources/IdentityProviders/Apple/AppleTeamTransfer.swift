import Accounts
import Foundation
import Synchronization

/// A client of Apple's `usermigrationinfo` endpoint, which returns a person's id at another developer team (TN3159
/// "Migrating Sign in with Apple users for an app transfer"). Requests use an access token of the client itself, which
/// is valid for an hour and cached for half an hour.
package final class AppleTeamTransfer: TeamTransferService {
    private let service: OAuthTokenService
    private let url: String
    private let clientID: String
    private let now: @Sendable () -> Date
    private let token = Mutex<(text: String, until: Date)?>(nil)

    /// - Parameters:
    ///   - service: Apple's token endpoint, with the key of the requesting team.
    ///   - clientID: the id of the app that is transferred.
    package init(
        service: OAuthTokenService, url: String, clientID: String, now: @escaping @Sendable () -> Date
    ) {
        self.service = service
        self.url = url
        self.clientID = clientID
        self.now = now
    }

    package func transferID(of subject: String, to team: String) async throws(ProviderTokenError) -> String {
        try await request([("sub", subject), ("target", team)], for: "transfer_sub")
    }

    package func subject(ofTransferID id: String) async throws(ProviderTokenError) -> String {
        try await request([("transfer_sub", id)], for: "sub")
    }

    private func request(
        _ parameters: [(name: String, value: String?)], for member: String
    ) async throws(ProviderTokenError) -> String {
        let response: [String: String]
        let accessToken = try await accessToken()
        do {
            response = try await service.client.request(url, clientID, parameters, accessToken: accessToken)
        } catch .misconfigured("invalid_request") {
            // Apple's error for an unknown person or transfer id.
            throw .refused
        }
        guard let text = response[member], (1...255).contains(text.utf8.count) else {
            throw .unavailable("response without \(member)")
        }
        return text
    }

    private func accessToken() async throws(ProviderTokenError) -> String {
        let time = now()
        if let cached = token.withLock({ $0 }), time < cached.until { return cached.text }
        let response: [String: String]
        do {
            response = try await service.client.request(
                service.tokenURL, clientID, [("grant_type", "client_credentials"), ("scope", "user.migration")]
            )
        } catch .refused {
            // The refusal concerns the client's credentials, not the requested person.
            throw .misconfigured("invalid_grant")
        }
        guard let text = response["access_token"], text.utf8.count <= 8192 else {
            throw .unavailable("response without a token")
        }
        token.withLock { $0 = (text, time.addingTimeInterval(1800)) }
        return text
    }
}
