#if canImport(SwiftUI)
    import PhotolalaClient
    import SwiftUI

    /// The deletion of the account, with its codes.
    public struct DeleteAccountView: View {
        private let model: DeleteAccountModel
        private let texts: ScreenTexts

        /// Creates the screen.
        public init(_ model: DeleteAccountModel, texts: ScreenTexts = ScreenTexts()) {
            (self.model, self.texts) = (model, texts)
        }

        /// The content of the screen.
        public var body: some View {
            FlowList(title: texts(.deleteTitle), flow: model.flow, texts: texts) {
                if let scheduled = model.scheduled {
                    codes(scheduled)
                } else if let deletion = model.overview?.deletion {
                    Section(texts(.deletingTitle)) {
                        Text(texts(.deletingNotice, [.date: texts.strings.time(deletion.erasesAt)]))
                        Button(texts(.keepAccount)) { model.flow.start(.cancelDeletion) }
                    }
                } else if let overview = model.overview {
                    question(overview)
                }
            }
        }

        @ViewBuilder private func question(_ overview: DeletionOverview) -> some View {
            Section {
                Text(texts(.deleteText))
                Text(texts.undoTime(overview.undoDays))
            }
            Section(texts(.deleteContents)) { Facts(facts: texts.contents(overview.contents)) }
            if !overview.subscriptions.isEmpty {
                Section(texts(.subscriptionsTitle)) {
                    Text(texts(.subscriptionsText))
                    ForEach(overview.subscriptions, id: \.originalTransactionID) { subscription in
                        LabeledContent(
                            subscription.productID,
                            value: texts(.paidUntil, [.date: texts.strings.day(subscription.expiresAt)]))
                    }
                    if let page = URL(string: overview.manageSubscriptionsURL) {
                        Link(texts(.manageSubscriptions), destination: page)
                    }
                }
            }
            Section {
                Text(texts(.deleteType, [.word: DeletionRequest.confirmationText]))
                TextField(
                    DeletionRequest.confirmationText,
                    text: Binding(get: { @MainActor in model.typed }, set: { @MainActor in model.typed = $0 }))
                Button(texts(.deleteTitle), role: .destructive) { model.delete() }
            }
        }

        @ViewBuilder private func codes(_ scheduled: DeletionOverview) -> some View {
            Section(texts(.deletingTitle)) {
                if let deletion = scheduled.deletion {
                    Text(texts(.deletingText, [.date: texts.strings.time(deletion.erasesAt)]))
                }
                Text(texts(.deletingSave))
            }
            if let code = scheduled.undoCode { section(.undoCode, code, .undoCodeText) }
            if let code = scheduled.receiptCode { section(.receiptCode, code, .receiptCodeText) }
            Section {
                Text(texts(.deleteDeviceText))
                Button(texts(.continue)) { model.flow.start(.removeLocalData) }
            }
        }

        private func section(_ title: ScreenText, _ code: String, _ text: ScreenText) -> some View {
            Section(texts(title)) {
                CodeText(code: code)
                Text(texts(text))
            }
        }
    }

    struct DeleteAccountViewPreviews: PreviewProvider {
        static var previews: some View {
            NavigationStack { DeleteAccountView(DeleteAccountModel(.preview)) }
        }
    }
#endif
