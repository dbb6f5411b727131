import Accounts
import PhotolalaAPI

extension Services {
    /// Creates an account: verify the token, create account and claim, open a session on the device. It never signs in
    /// to an existing one.
    ///
    /// Two reads (claim, account) and six writes (spent challenge, account, claim, device, first audit entry, and the
    /// profile when a name came); an e-mail hint adds one, and so does an authorization code.
    package func signUp(_ request: SignUpRequest) async throws(FlowError) -> SignedIn {
        let proven = try await identity(of: request, .signup)
        switch try await create(for: proven.identity, request) {
        case .created(let found):
            return try await finish(found, proven, request)
        case .exists:
            throw .accountAlreadyExists
        }
    }

    /// Signs in or creates, where the deployment allows it.
    package func continueSignIn(_ request: SignUpRequest) async throws(FlowError) -> SignedIn {
        guard rules.allowsContinue else { throw .continueNotAllowed }
        let proven = try await identity(of: request, .continue)
        switch try await create(for: proven.identity, request) {
        case .created(let found):
            let signedIn = try await finish(found, proven, request)
            return SignedIn(user: signedIn.user, session: signedIn.session, isNewUser: true)
        case .exists(let found):
            let signedIn = try await open(found, by: proven, on: request.device, isNewAccount: false)
            return SignedIn(user: signedIn.user, session: signedIn.session, isNewUser: false)
        }
    }

    private func identity(
        of request: SignUpRequest, _ purpose: ChallengePurpose
    ) async throws(FlowError) -> ProvenIdentity {
        try check(request.device)
        guard isText(request.fullName ?? "", 0...200) else {
            throw .invalidRequest("fullName has at most 200 characters, none of them a control character.")
        }
        return try await prove(
            try proof(request.provider, request.idToken, request.challenge), code: request.authorizationCode,
            pending: request.pendingIdentity, purpose, device: request.device.id
        )
    }

    private func create(
        for identity: VerifiedIdentity, _ request: SignUpRequest
    ) async throws(FlowError) -> CreatedAccount {
        try await step { try await accounts.create(for: identity, device: request.device.id) }
    }

    /// What follows the claim is independent of each other and goes side by side.
    private func finish(
        _ found: FoundAccount, _ proven: ProvenIdentity, _ request: SignUpRequest
    ) async throws(FlowError) -> SignedIn {
        async let aftermath: Void = accounts.finishCreation(of: found)
        async let name: Void = keepName(request.fullName, of: found)
        let result: Result<SignedIn, FlowError>
        do {
            result = .success(try await open(found, by: proven, on: request.device, isNewAccount: true))
        } catch {
            result = .failure(error)
        }
        _ = await (aftermath, name)
        return try result.get()
    }

    /// Keeps the name that the provider gives once only. The account stands without it, so a failure is only logged.
    private func keepName(_ name: String?, of found: FoundAccount) async {
        guard let name, !name.isEmpty else { return }
        do {
            try await profiles.create(Profile(displayName: name), for: found.account.value.serviceUserID)
        } catch {
            logger.warning("the name of a new account was not kept", metadata: ["reason": "\(error)"])
        }
    }
}
