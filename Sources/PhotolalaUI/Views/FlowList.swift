#if canImport(SwiftUI)
    import PhotolalaClient
    import SwiftUI

    /// The frame of a screen of the signed-in account: loading, failures, verification, and the content.
    struct FlowList<Action: Sendable & Equatable, Content: View>: View {
        let title: String
        let flow: ScreenFlow<Action>
        let texts: ScreenTexts
        /// A sentence above the content, which remains after the session has ended.
        var notice: String?
        @ViewBuilder let content: () -> Content

        var body: some View {
            List {
                if let notice { Section { Text(notice) } }
                if let failure = flow.failure { Section { Text(texts.message(for: failure)) } }
                switch flow.state {
                case .notLoaded, .loading: Section { ProgressView(texts(.loading)) }
                case .unavailable(let failure):
                    Section {
                        Text(texts.message(for: failure))
                        Button(texts(.tryAgain)) { flow.load() }
                    }
                case .verifying(_, let providers): verification(providers)
                case .signedOut: Section { Text(texts(.sessionOver)) }
                case .working:
                    Section {
                        ProgressView(texts(.working))
                        if flow.canCancel { Button(texts(.cancel)) { flow.cancel() } }
                    }
                    content().disabled(true)
                case .ready, .confirming, .finished: content()
                }
            }
            .navigationTitle(title)
            .task { flow.load() }
        }

        private func verification(_ providers: [ProviderName]) -> some View {
            Section(texts(.confirmTitle)) {
                Text(texts(.confirmText))
                ForEach(providers, id: \.self) { provider in
                    ProviderButton(
                        provider: provider, title: texts(.confirmWith, [.provider: texts.title(of: provider)]),
                        label: .continue
                    ) { flow.verify(with: provider) }
                }
                Button(texts(.cancel)) { flow.dismiss() }
            }
        }
    }

    /// Sentences, one below the other.
    struct Facts: View {
        let facts: [String]

        var body: some View {
            ForEach(facts, id: \.self) { Text($0) }
        }
    }

    /// A code that the person can copy.
    struct CodeText: View {
        let code: String

        var body: some View {
            Text(code)
                #if !os(tvOS)
                    .textSelection(.enabled)
                #endif
        }
    }

    /// The progress of a transfer.
    struct TransferProgressView: View {
        let progress: TransferProgress
        let texts: ScreenTexts

        var body: some View {
            if progress.totalFiles > 0 {
                ProgressView(value: Double(progress.finishedFiles), total: Double(progress.totalFiles))
                Text(
                    texts(
                        .progressFiles,
                        [
                            .count: texts.strings.number(progress.finishedFiles),
                            .total: texts.strings.number(progress.totalFiles),
                        ]))
            } else {
                ProgressView()
            }
        }
    }
#endif
