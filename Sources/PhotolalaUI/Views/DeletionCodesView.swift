#if canImport(SwiftUI)
    import PhotolalaClient
    import SwiftUI

    /// The codes of a deletion, for a person who is not signed in.
    public struct DeletionCodesView: View {
        private let model: DeletionCodesModel
        private let texts: ScreenTexts

        /// Creates the screen.
        public init(_ model: DeletionCodesModel, texts: ScreenTexts = ScreenTexts()) {
            (self.model, self.texts) = (model, texts)
        }

        /// The content of the screen.
        public var body: some View {
            List {
                if let failure = model.failure { Section { Text(texts.message(for: failure)) } }
                switch model.state {
                case .ready: EmptyView()
                case .working:
                    Section {
                        ProgressView(texts(.working))
                        Button(texts(.cancel)) { model.cancel() }
                    }
                case .status(let status): result(status)
                case .cancelled: Section { Text(texts(.deletionUndone)) }
                }
                Section { Text(texts(.deletionText)) }
                entry(.receiptCode, .receiptCodeText, \.receiptCode, .showStatus) { model.showStatus() }
                entry(.undoCode, .undoCodeText, \.undoCode, .cancelDeletion) { model.cancelDeletion() }
            }
            .navigationTitle(texts(.deletionTitle))
        }

        @ViewBuilder private func result(_ status: DeletionStatus) -> some View {
            Section { Text(texts.sentence(about: status)) }
            if let receipt = status.receipt {
                Section(texts(.receiptTitle)) { CodeText(code: receipt) }
            }
        }

        private func entry(
            _ title: ScreenText, _ text: ScreenText, _ code: ReferenceWritableKeyPath<DeletionCodesModel, String>,
            _ button: ScreenText, action: @escaping @MainActor () -> Void
        ) -> some View {
            Section(texts(title)) {
                Text(texts(text))
                TextField(
                    texts(title),
                    text: Binding(
                        get: { @MainActor in model[keyPath: code] }, set: { @MainActor in model[keyPath: code] = $0 }))
                Button(texts(button)) { action() }.disabled(model.state == .working)
            }
        }
    }

    struct DeletionCodesViewPreviews: PreviewProvider {
        static var previews: some View {
            NavigationStack { DeletionCodesView(DeletionCodesModel(.preview)) }
        }
    }
#endif
