import Logging
import Monitoring
import NIOCore
import PhotolalaAPI
import PhotolalaServer
import UseCases

/// The functions that apps invoke directly.
package enum DirectFunction: String, CaseIterable, Sendable {
    case authenticateUser = "AuthenticateUser"
    case createIdentity = "CreateIdentity"
    case linkProvider = "LinkProvider"
    case getSTSToken = "GetSTSToken"

    /// What a challenge from this function is for; `nil` if it takes no ID token.
    var purpose: ChallengePurpose? {
        switch self {
        case .authenticateUser: .signin
        case .createIdentity: .signup
        case .linkProvider: .link
        case .getSTSToken: nil
        }
    }
}

/// Answers direct invocations: calls of the use cases with the bodies of the API.
package struct DirectFunctionHandler: InvocationHandler {
    private let function: DirectFunction
    private let services: ServiceGraph
    private let bodyLimit: Int
    private let logger: Logger

    /// - Parameter bodyLimit: The largest event, in bytes.
    package init(_ function: DirectFunction, services: ServiceGraph, bodyLimit: Int, logger: Logger) {
        (self.function, self.services, self.bodyLimit, self.logger) = (function, services, bodyLimit, logger)
    }

    package func handle(_ invocation: Invocation) async -> InvocationOutcome {
        var logger = logger
        logger[metadataKey: "hb.request.id"] = "\(invocation.requestID)"
        let clock = ContinuousClock()
        let start = clock.now
        let outcome: InvocationOutcome
        var status = 200
        do {
            outcome = .answer(try await answer(invocation.event, logger))
        } catch {
            let (problem, retryAfter) = DirectCall.failure(error, requestID: invocation.requestID, logger)
            status = problem.status
            outcome = .failure(
                InvocationFailure(problem.code.rawValue, problem.detail, problem: problem, retryAfter: retryAfter))
        }
        logger.info(
            .request, "request",
            metadata: [
                "method": "INVOKE", "route": "\(function.rawValue)", "status": .stringConvertible(status),
                "ms": .stringConvertible((clock.now - start) / .milliseconds(1)),
            ])
        return outcome
    }

    package func timeout(of invocation: Invocation) -> InvocationOutcome { .failure(.timedOut) }

    private func answer(_ event: ByteBuffer, _ logger: Logger) async throws -> ByteBuffer {
        guard event.readableBytes <= bodyLimit else {
            throw ServiceError.invalidRequest("The event is larger than \(bodyLimit) bytes.")
        }
        if let purpose = function.purpose, try DirectCall.decode(ChallengeEvent.self, event).isForChallenge {
            return try DirectCall.encode(try await makeChallenge(purpose, event))
        }
        return switch function {
        case .authenticateUser: try DirectCall.encode(try await authenticateUser(event, logger))
        case .createIdentity:
            try DirectCall.encode(try await services.signUp.signUp(try DirectCall.decode(SignUpRequest.self, event)))
        case .linkProvider: try DirectCall.encode(try await linkProvider(event))
        case .getSTSToken:
            try DirectCall.encode(try await services.storageAccess.issueCredentials(try await caller(event)))
        }
    }

    /// Signs in to an existing account, and never creates one. A session whose credentials cannot be issued is returned
    /// without them: the ID token and its challenge are spent, and `GetSTSToken` can be repeated.
    private func authenticateUser(_ event: ByteBuffer, _ logger: Logger) async throws -> AuthenticatedUser {
        let signedIn = try await services.signIn.signIn(try DirectCall.decode(SignInRequest.self, event))
        do {
            let caller = try await services.authenticator.authenticate(signedIn.session.accessToken)
            let credentials = try await services.storageAccess.issueCredentials(caller)
            return AuthenticatedUser(signedIn, credentials: credentials)
        } catch {
            logger.warning(
                .requestRejected, "signed in without storage credentials", metadata: ["reason": "\(error)"])
            return AuthenticatedUser(signedIn, credentials: nil)
        }
    }

    private func linkProvider(_ event: ByteBuffer) async throws -> UpdatedUser {
        let request = try DirectCall.decode(LinkRequest.self, event)
        let linked = try await services.linking.link(request, caller: try await caller(event))
        // The link is stored, so the account is presented as far as it can be read.
        let user = try? await updatedUser(event)
        return UpdatedUser(user: user, linkedProviders: linked.linkedProviders)
    }

    private func updatedUser(_ event: ByteBuffer) async throws -> User {
        let caller = try await caller(event)
        return try await services.account.user(caller.user, caller: caller)
    }

    private func makeChallenge(_ purpose: ChallengePurpose, _ event: ByteBuffer) async throws -> Challenge {
        let request = try DirectCall.decode(ChallengeRequest.self, event)
        guard request.purpose == purpose else {
            throw ServiceError.invalidRequest("\(function.rawValue) makes challenges for \(purpose.rawValue) only.")
        }
        return try services.identities.makeChallenge(request, caller: purpose == .link ? try await caller(event) : nil)
    }

    /// Authenticates the caller.
    /// - Throws: `notFound` if the session belongs to another account than the event names.
    private func caller(_ event: ByteBuffer) async throws -> Caller {
        let session = try DirectCall.decode(SessionEvent.self, event)
        let caller = try await services.authenticator.authenticate(session.accessToken)
        guard caller.user == session.serviceUserID else { throw ServiceError.notFound }
        return caller
    }
}
