import Foundation
import Hummingbird
import PhotolalaAPI
import UseCases

/// `POST /api/accounts/{user}/identity-move`: the identity to move, by the provider's id or by two ID tokens with a
/// challenge as their nonce.
struct MoveBody: Decodable {
    struct Proof: Decodable {
        let provider: ProviderName
        let idToken: String
    }

    let provider: ProviderName
    let providerID: String?
    let idToken: String?
    /// An ID token of an identity that the account has.
    let proof: Proof?
    let challenge: String?

    /// How the identity is named.
    enum Identity {
        case subject(String)
        case proven(MoveProofs.Token, own: MoveProofs.Token, challenge: String)
    }

    func identity() throws(OperatorFailure) -> Identity {
        switch (providerID, idToken, proof, challenge) {
        case (let subject?, nil, nil, nil): .subject(subject)
        case (nil, let token?, let proof?, let challenge?):
            .proven(
                MoveProofs.Token(provider: provider, idToken: token),
                own: MoveProofs.Token(provider: proof.provider, idToken: proof.idToken), challenge: challenge)
        default: throw .invalid("Send provider and providerID, or provider, idToken, proof and challenge.")
        }
    }
}

/// `POST /api/accounts/{user}/identity-move/completion`
struct CompletionBody: Decodable {
    let move: UUID
}

/// Moves of identities.
extension OperatorAPI {
    func mountMoves(on api: RouterGroup<OperatorContext>) {
        on(api, .post, "/accounts/:user/identity-move/challenge", .challengeMove) { call, _ in
            try OperatorAnswer.json(try services.moveProofs.makeChallenge(to: try call.account()))
        }
        on(api, .post, "/accounts/:user/identity-move", .requestMove) { call, reason in
            let (body, user) = (try await call.body(MoveBody.self), try call.account())
            var (provider, subject, proof) = (body.provider, "", LinkID?.none)
            switch try body.identity() {
            case .subject(let text): subject = text
            case .proven(let moving, let own, let challenge):
                let proven = try await services.moveProofs.verify(moving, and: own, challenge: challenge, to: user)
                (provider, subject, proof) = (proven.provider, proven.subject, proven.proof)
            }
            return try OperatorAnswer.json(
                try await services.moves.request(
                    provider, subject, to: user, proof: proof, by: call.key, reason: reason))
        }
        on(api, .post, "/accounts/:user/identity-move/completion", .completeMove) { call, reason in
            _ = try await services.moves.complete(
                try await call.body(CompletionBody.self).move, to: try call.account(), by: call.key, reason: reason)
            return OperatorAnswer.done
        }
        on(api, .delete, "/accounts/:user/identity-move", .cancelMove) { call, reason in
            try await services.moves.cancel(to: try call.account(), by: call.key, reason: reason)
            return OperatorAnswer.done
        }
    }
}
