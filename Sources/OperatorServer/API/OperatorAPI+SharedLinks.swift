import Hummingbird
import PhotolalaAPI
import Sharing
import UseCases

/// The shared links of accounts: what they are, and whether they open.
extension OperatorAPI {
    func mountSharedLinks(on api: RouterGroup<OperatorContext>) {
        on(api, .get, "/accounts/:user/shared-links", .listSharedLinks) { call, _ in
            try OperatorAnswer.json(["sharedLinks": try await services.sharedLinks.links(of: try call.account())])
        }
        on(api, .post, "shared-links/lookup", .findSharedLink) { call, reason in
            let address = try await call.body(SharedLinkLookupBody.self).address
            guard let (user, link) = try await services.sharedLinks.find(address) else { throw Self.noSuchLink }
            // The log must name the account that the answer shows.
            try await services.calls.begin(.listSharedLinks, by: call.key, on: user, reason: reason.text)
            return try OperatorAnswer.json(FoundSharedLink(serviceUserID: user, sharedLink: link))
        }
        on(api, .put, "/accounts/:user/shared-links/:link/disabled", .disableSharedLink) { call, reason in
            try await act(call) { try await services.sharedLinks.disable($0, of: $1, reason: reason) }
        }
        on(api, .delete, "/accounts/:user/shared-links/:link/disabled", .enableSharedLink) { call, reason in
            try await act(call) { try await services.sharedLinks.enable($0, of: $1, reason: reason) }
        }
    }

    private func act(
        _ call: OperatorRequest, _ act: (SharedLinkID, UserID) async throws -> Void
    ) async throws -> Response {
        let user = try call.account()
        guard let id = call.context.parameters.get("link").flatMap({ SharedLinkID($0) }) else {
            throw Self.noSuchLink
        }
        do { try await act(id, user) } catch ServiceError.notFound { throw Self.noSuchLink }
        return OperatorAnswer.done
    }

    private static var noSuchLink: OperatorFailure {
        OperatorFailure(.notFound, "shared_link_not_found", "There is no such shared link.")
    }
}

/// `POST /api/shared-links/lookup`
private struct SharedLinkLookupBody: Decodable {
    /// The address of the link or of a page below it, or its token.
    let address: String
}

/// The answer to `POST /api/shared-links/lookup`.
private struct FoundSharedLink: Encodable {
    let serviceUserID: UserID
    let sharedLink: SharedLinkSupport.Report
}
