import Accounts
import Foundation
import Hummingbird
import PhotolalaAPI
import UseCases

/// `POST /api/accounts/{user}/identity-move`: provider and one of providerID and idToken, which name the identity to
/// move; proof holds an ID token of an identity that the account has.
struct MoveBody: Decodable {
    struct Proof: Decodable {
        let provider: ProviderName
        let idToken: String
    }

    let provider: ProviderName
    let providerID: String?
    let idToken: String?
    let proof: Proof?

    func identity() throws(OperatorFailure) -> IdentityMoves.Identity {
        switch (providerID, idToken) {
        case (let subject?, nil): return .subject(provider, subject)
        case (nil, let token?): return .idToken(provider, token)
        default: throw .invalid("Send provider and one of providerID and idToken.")
        }
    }
}

/// The answer to a requested move.
private struct RequestedMove: Encodable {
    /// The account that the identity leaves.
    let from: UserID
    let effectiveAt: Date
    let needsSecondOperator: Bool
}

/// Moves of identities.
extension OperatorAPI {
    func mountMoves(on api: RouterGroup<OperatorContext>) {
        on(api, .post, "/accounts/:user/identity-move", .requestMove) { call, reason in
            let body = try await call.body(MoveBody.self)
            let identity = try body.identity()
            // The log must also name the account that the identity leaves.
            let source = try await services.moves.source(of: identity).account.value.serviceUserID
            try await services.calls.begin(.requestMove, by: call.key, on: source, reason: reason.text)
            let requested = try await services.moves.request(
                identity, to: try call.account(), proof: body.proof.map { ($0.provider, $0.idToken) },
                by: MovingOperator(keyID: call.key.id, name: call.key.name), reason: reason)
            return try OperatorAnswer.json(
                RequestedMove(
                    from: requested.source, effectiveAt: requested.effectiveAt,
                    needsSecondOperator: requested.needsSecondOperator))
        }
        on(api, .post, "/accounts/:user/identity-move/completion", .completeMove) { call, reason in
            _ = try await services.moves.complete(
                to: try call.account(), by: MovingOperator(keyID: call.key.id, name: call.key.name), reason: reason)
            return OperatorAnswer.done
        }
        on(api, .delete, "/accounts/:user/identity-move", .cancelMove) { call, reason in
            try await services.moves.cancel(to: try call.account(), reason: reason)
            return OperatorAnswer.done
        }
    }
}
