#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
    import AuthenticationServices
    import Foundation
    import PhotolalaAPI

    /// Sign in with Apple, in the system's sheet.
    ///
    /// This file is compiled on Apple platforms only. The project's tests run on Linux and only type-check it.
    public struct AppleSignIn: ProviderSignIn {
        private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

        /// Creates a sign-in.
        /// - Parameter anchor: Returns the window above which the sheet appears.
        public init(anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) { self.anchor = anchor }

        /// Apple.
        public var provider: ProviderName { .apple }

        /// Shows the sheet. Apple gives the name at the first authorization only.
        /// - Throws: `cancelled`; `providerSignInFailed`.
        public func authenticate(nonce: String) async throws(PhotolalaError) -> ProviderCredential {
            switch await AppleSheet().authorize(nonce: nonce, above: anchor) {
            case .success(let credential): return credential
            case .failure(let error): throw error
            }
        }

        /// Returns whether the user still allows this app to use the Apple Account. An account that this device does not
        /// know is `unknown`: the device may be signed in to another one.
        public func access(of subject: String) async -> ProviderAccess {
            switch try? await ASAuthorizationAppleIDProvider().credentialState(forUserID: subject) {
            case .authorized: .allowed
            case .revoked: .withdrawn
            default: .unknown
            }
        }

        /// Apple's notices that the access was withdrawn while the app runs: call
        /// ``PhotolalaSession/signOutIfWithdrawn(at:)`` for each.
        public static var withdrawals: AsyncStream<Void> {
            AsyncStream { continuation in
                let notices = Task {
                    let name = ASAuthorizationAppleIDProvider.credentialRevokedNotification
                    for await _ in NotificationCenter.default.notifications(named: name) { continuation.yield() }
                    continuation.finish()
                }
                continuation.onTermination = { _ in notices.cancel() }
            }
        }
    }

    /// One presentation of the sheet.
    @MainActor
    private final class AppleSheet: NSObject, ASAuthorizationControllerDelegate,
        ASAuthorizationControllerPresentationContextProviding
    {
        private var controller: ASAuthorizationController?
        private var window: ASPresentationAnchor?
        private var challenge = ""
        private let answer = OneAnswer<ProviderCredential>()

        override nonisolated init() { super.init() }

        func authorize(
            nonce: String, above anchor: @MainActor @Sendable () -> ASPresentationAnchor
        ) async -> Result<ProviderCredential, PhotolalaError> {
            let request = ASAuthorizationAppleIDProvider().createRequest()
            request.requestedScopes = [.fullName, .email]
            request.nonce = nonce
            let controller = ASAuthorizationController(authorizationRequests: [request])
            controller.delegate = self
            controller.presentationContextProvider = self
            (self.controller, window, challenge) = (controller, anchor(), nonce)
            return await answer.value {
                controller.performRequests()
            } close: {
                controller.cancel()
            }
        }

        func presentationAnchor(for controller: ASAuthorizationController) -> ASPresentationAnchor {
            window ?? ASPresentationAnchor()
        }

        func authorizationController(
            controller: ASAuthorizationController, didCompleteWithAuthorization authorization: ASAuthorization
        ) {
            guard let apple = authorization.credential as? ASAuthorizationAppleIDCredential,
                let token = apple.identityToken.flatMap({ String(data: $0, encoding: .utf8) })
            else { return finish(.failure(Self.failed("no ID token"))) }
            let name = apple.fullName.map { $0.formatted() } ?? ""
            finish(
                .success(
                    ProviderCredential(
                        provider: .apple, idToken: token, challenge: challenge,
                        authorizationCode: apple.authorizationCode.flatMap { String(data: $0, encoding: .utf8) },
                        fullName: name.isEmpty ? nil : name, subject: apple.user)))
        }

        func authorizationController(controller: ASAuthorizationController, didCompleteWithError error: any Error) {
            let isCancelled = (error as? ASAuthorizationError)?.code == .canceled
            finish(
                .failure(
                    isCancelled
                        ? .cancelled
                        : Self.failed(error.localizedDescription, cause: FailureCause(platform: error))))
        }

        private func finish(_ result: Result<ProviderCredential, PhotolalaError>) {
            answer.give(result)
            (controller, window) = (nil, nil)
        }

        private static func failed(_ reason: String, cause: FailureCause? = nil) -> PhotolalaError {
            PhotolalaError(
                code: .providerSignInFailed, detail: "Sign in with Apple failed: \(reason)", cause: cause)
        }
    }
#endif
