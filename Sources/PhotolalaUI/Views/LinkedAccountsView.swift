#if canImport(SwiftUI)
    import PhotolalaClient
    import SwiftUI

    /// The linked accounts: shows, links and unlinks them.
    public struct LinkedAccountsView: View {
        private let model: LinkedAccountsModel
        private let texts: ScreenTexts

        /// Creates the screen.
        public init(_ model: LinkedAccountsModel, texts: ScreenTexts = ScreenTexts()) {
            (self.model, self.texts) = (model, texts)
        }

        /// The content of the screen.
        public var body: some View {
            FlowList(title: texts(.linksTitle), flow: model.flow, texts: texts) {
                if let provider = model.pending?.provider { pending(texts.title(of: provider)) }
                Section { Text(texts(.linksText)) }
                ForEach(model.links, id: \.linkID) { link in row(link) }
                Section(texts(.linkMore)) {
                    ForEach(model.linkableProviders, id: \.self) { provider in
                        ProviderButton(
                            provider: provider, title: texts(.linkWith, [.provider: texts.title(of: provider)]),
                            label: .continue
                        ) { model.flow.start(.link(provider)) }
                    }
                }
            }
            .alert(
                texts(.unlinkQuestion, [.provider: unlinking.map { texts.title(of: $0.provider) } ?? ""]),
                isPresented: Binding(
                    get: { @MainActor in unlinking != nil }, set: { @MainActor in if !$0 { model.flow.dismiss() } }),
                actions: {
                    if let link = unlinking {
                        Button(texts(.unlink), role: .destructive) { model.flow.start(.unlink(link.linkID)) }
                    }
                    Button(texts(.cancel), role: .cancel) { model.flow.dismiss() }
                },
                message: {
                    Text(texts(.unlinkWarning, [.provider: unlinking.map { texts.title(of: $0.provider) } ?? ""]))
                })
        }

        /// The identity whose unlinking waits for a confirmation.
        private var unlinking: LinkedProvider? {
            guard case .confirming(.unlink(let id)) = model.flow.state else { return nil }
            return model.links.first { $0.linkID == id }
        }

        private func row(_ link: LinkedProvider) -> some View {
            let title = texts.title(of: link.provider)
            return Section(title) {
                Facts(facts: texts.facts(of: link))
                if link.state == .removing {
                    Button(texts(.unlinkUndoNamed, [.provider: title])) {
                        model.flow.start(.undoUnlink(link.linkID))
                    }
                } else if model.canUnlink(link) {
                    Button(texts(.unlinkNamed, [.provider: title]), role: .destructive) {
                        model.flow.confirm(.unlink(link.linkID))
                    }
                } else if link.state == .active {
                    Text(texts(.unlinkLast))
                }
            }
        }

        private func pending(_ title: String) -> some View {
            Section(texts(.pendingTitle)) {
                Text(texts(.pendingLink, [.provider: title]))
                Button(texts(.linkWith, [.provider: title])) { model.flow.start(.linkPending) }
                Button(texts(.notNow)) { model.declinePending() }
            }
        }
    }

    struct LinkedAccountsViewPreviews: PreviewProvider {
        static var previews: some View {
            NavigationStack { LinkedAccountsView(LinkedAccountsModel(.preview)) }
        }
    }
#endif
