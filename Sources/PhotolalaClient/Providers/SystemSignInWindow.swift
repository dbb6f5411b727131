#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
    import AuthenticationServices
    import Foundation
    import PhotolalaAPI

    /// The system's sign-in window for the server's pages.
    ///
    /// This file is compiled on Apple platforms only. The project's tests run on Linux and only type-check it.
    public struct SystemSignInWindow: AuthorizationBrowser {
        private let isEphemeral: Bool
        private let anchor: @MainActor @Sendable () -> ASPresentationAnchor

        /// Creates a window.
        /// - Parameters:
        ///   - isEphemeral: Shares no cookies with the browser, so that every sign-in asks for the account at the provider.
        ///   - anchor: Returns the window above which it appears.
        public init(isEphemeral: Bool = true, anchor: @escaping @MainActor @Sendable () -> ASPresentationAnchor) {
            self.isEphemeral = isEphemeral
            self.anchor = anchor
        }

        /// Opens a page and returns the address to which it redirects.
        /// - Parameter redirectURI: An address with a scheme of the app, or an `https` address of an associated domain.
        /// - Throws: `cancelled`; `invalidRequest` for an unusable address; `providerSignInFailed`.
        public func open(_ page: URL, until redirectURI: String) async throws(PhotolalaError) -> URL {
            guard let redirect = URL(string: redirectURI), let scheme = redirect.scheme else {
                throw PhotolalaError(code: .invalidRequest, detail: "\(redirectURI) is not an address.")
            }
            let callback: ASWebAuthenticationSession.Callback =
                if scheme == "https", let host = redirect.host { .https(host: host, path: redirect.path) } else {
                    .customScheme(scheme)
                }
            switch await WebSheet().open(page, callback, isEphemeral: isEphemeral, above: anchor) {
            case .success(let url): return url
            case .failure(let error): throw error
            }
        }
    }

    /// One presentation of the window.
    @MainActor
    private final class WebSheet: NSObject, ASWebAuthenticationPresentationContextProviding {
        private var session: ASWebAuthenticationSession?
        private var window: ASPresentationAnchor?
        private let answer = OneAnswer<URL>()

        override nonisolated init() { super.init() }

        func open(
            _ page: URL, _ callback: ASWebAuthenticationSession.Callback, isEphemeral: Bool,
            above anchor: @MainActor @Sendable () -> ASPresentationAnchor
        ) async -> Result<URL, PhotolalaError> {
            window = anchor()
            defer { (session, window) = (nil, nil) }
            // The system calls the handler on any queue, so it belongs to no actor.
            let session = ASWebAuthenticationSession(url: page, callback: callback) {
                @Sendable [answer] url, error in
                answer.give(url.map { .success($0) } ?? .failure(Self.failure(error)))
            }
            session.prefersEphemeralWebBrowserSession = isEphemeral
            session.presentationContextProvider = self
            self.session = session
            return await answer.value {
                // If it does not start, the system calls the handler with the reason.
                session.start()
            } close: {
                session.cancel()
            }
        }

        func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
            window ?? ASPresentationAnchor()
        }

        nonisolated private static func failure(_ error: (any Error)?) -> PhotolalaError {
            if (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin {
                return .cancelled
            }
            return PhotolalaError(
                code: .providerSignInFailed,
                detail: "The sign-in window failed: \(error?.localizedDescription ?? "no response")",
                cause: error.map { FailureCause(platform: $0) })
        }
    }
#endif
