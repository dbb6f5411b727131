#if canImport(SwiftUI)
    import AuthenticationServices
    import PhotolalaClient
    import SwiftUI

    /// Sign In and Create Account, with help after the wrong provider. The app shows its own content in state `signedIn`.
    public struct WelcomeView: View {
        private let model: WelcomeModel
        private let texts: ScreenTexts

        /// Creates the screen.
        public init(_ model: WelcomeModel, texts: ScreenTexts = ScreenTexts()) {
            (self.model, self.texts) = (model, texts)
        }

        /// The content of the screen.
        public var body: some View {
            List {
                if let failure = model.failure { Section { Text(texts.message(for: failure)) } }
                content
            }
            .task { model.load() }
        }

        @ViewBuilder private var content: some View {
            switch model.state {
            case .notLoaded, .loading: Section { ProgressView(texts(.loading)) }
            case .unavailable(let failure):
                Section {
                    Text(texts.message(for: failure))
                    Button(texts(.tryAgain)) { model.load() }
                    if model.canStartOver {
                        Text(texts(.startOverText))
                        Button(texts(.startOver), role: .destructive) { model.startOver() }
                    }
                }
            case .welcome: welcome
            case .choosing(let purpose): choice(purpose)
            case .authenticating(let provider, _):
                Section {
                    ProgressView(texts(.signingIn, [.provider: texts.title(of: provider)]))
                    Button(texts(.cancel)) { model.cancel() }
                }
            case .noAccount(let help): noAccount(help)
            case .accountExists(let provider):
                Section(texts(.existsTitle)) {
                    Text(texts(.existsText, [.provider: texts.title(of: provider)]))
                    button(.signInWith, provider, .signIn) { model.signIn(with: provider) }
                    Button(texts(.back)) { model.back() }
                }
            case .linkOffer(let provider, _): linkOffer(provider)
            case .linking: Section { ProgressView(texts(.working)) }
            case .signedIn: Section { ProgressView(texts(.loading)) }
            }
        }

        @ViewBuilder private var welcome: some View {
            Section(texts(.welcomeTitle)) { Text(texts(.welcomeText)) }
            Section(texts(.haveAccount)) { Button(texts(.signIn)) { model.choose(.signIn) } }
            Section(texts(.noAccountYet)) { Button(texts(.createAccount)) { model.choose(.createAccount) } }
        }

        private func choice(_ purpose: WelcomePurpose) -> some View {
            let isSignIn = purpose == .signIn
            return Section(texts(isSignIn ? .signInTitle : .createTitle)) {
                Text(texts(isSignIn ? .signInText : .createText))
                ForEach(model.providers, id: \.self) { provider in
                    if provider == model.providers.first {
                        choiceButton(provider, purpose).buttonStyle(.borderedProminent)
                    } else {
                        choiceButton(provider, purpose)
                    }
                }
                Button(texts(.back)) { model.back() }
            }
        }

        @ViewBuilder private func choiceButton(_ provider: ProviderName, _ purpose: WelcomePurpose) -> some View {
            switch purpose {
            case .signIn: button(.signInWith, provider, .signIn) { model.signIn(with: provider) }
            case .createAccount: button(.createWith, provider, .signUp) { model.createAccount(with: provider) }
            }
        }

        private func button(
            _ text: ScreenText, _ provider: ProviderName, _ label: SignInWithAppleButton.Label,
            _ action: @escaping @MainActor () -> Void
        ) -> some View {
            ProviderButton(
                provider: provider, title: texts(text, [.provider: texts.title(of: provider)]), label: label,
                action: action)
        }

        @ViewBuilder private func noAccount(_ help: NoAccountHelp) -> some View {
            let tried = texts.title(of: help.tried)
            Section(texts(.noAccountTitle)) {
                Text(texts(.noAccountText, [.provider: tried]))
                Facts(facts: help.hints.map { texts(.hintText, [.provider: texts.title(of: $0)]) })
            }
            Section {
                ForEach(help.others, id: \.self) { provider in
                    button(.tryProvider, provider, .signIn) { model.signIn(with: provider) }
                }
                Text(texts(.noAccountLinkHint, [.provider: tried]))
            }
            Section {
                button(.createWith, help.tried, .signUp) { model.createAccount(with: help.tried) }
                Button(texts(.back)) { model.back() }
            }
        }

        private func linkOffer(_ provider: ProviderName) -> some View {
            let title = texts.title(of: provider)
            return Section(texts(.pendingTitle)) {
                Text(texts(.pendingLink, [.provider: title]))
                Button(texts(.linkWith, [.provider: title])) { model.link() }
                Button(texts(.notNow)) { model.skipLink() }
            }
        }
    }

    struct WelcomeViewPreviews: PreviewProvider {
        static var previews: some View {
            NavigationStack { WelcomeView(WelcomeModel(.welcomePreview)) }
        }
    }
#endif
