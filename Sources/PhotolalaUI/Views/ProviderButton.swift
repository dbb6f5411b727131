#if canImport(SwiftUI)
    import AuthenticationServices
    import PhotolalaClient
    import SwiftUI

    /// The button of a provider's sign-in. Apple's has the design and the text that Apple requires.
    struct ProviderButton: View {
        let provider: ProviderName
        /// The text; of Apple's button, what a screen reader says.
        let title: String
        /// The text of Apple's button.
        let label: SignInWithAppleButton.Label
        let action: @MainActor () -> Void
        @Environment(\.colorScheme) private var colorScheme

        var body: some View {
            if provider == .apple {
                Button(action: action) {
                    // It would sign in without the server's challenge, so that it receives no touches.
                    SignInWithAppleButton(label, onRequest: { _ in }, onCompletion: { _ in })
                        .signInWithAppleButtonStyle(colorScheme == .dark ? .white : .black)
                        .frame(height: 44)
                        .allowsHitTesting(false)
                        .accessibilityHidden(true)
                }
                .buttonStyle(.plain)
                .accessibilityLabel(title)
            } else {
                Button(title, action: action)
            }
        }
    }
#endif
