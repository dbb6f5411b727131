#if canImport(SwiftUI)
    import PhotolalaClient
    import SwiftUI

    /// The storage of the account, with the plans to upgrade to.
    public struct StorageView: View {
        private let model: StorageModel
        private let texts: ScreenTexts

        /// Creates the screen.
        public init(_ model: StorageModel, texts: ScreenTexts = ScreenTexts()) {
            (self.model, self.texts) = (model, texts)
        }

        /// The content of the screen.
        public var body: some View {
            FlowList(title: texts(.storageTitle), flow: model.flow, texts: texts, notice: notice) {
                if !model.waitingPurchases.isEmpty { waiting }
                Section { usage }
                if let subscription = model.subscription {
                    Section { Facts(facts: texts.facts(of: subscription)) }
                }
                Section(texts(.plansTitle)) { plans }
                Section(texts(.moveTitle)) { move }
            }
            .alert(
                texts(.moveHereQuestion),
                isPresented: Binding(
                    get: { @MainActor in confirming != nil }, set: { @MainActor in if !$0 { model.flow.dismiss() } }),
                actions: {
                    if let action = confirming {
                        Button(texts(.moveHere), role: .destructive) { model.flow.start(action) }
                    }
                    Button(texts(.cancel), role: .cancel) { model.flow.dismiss() }
                },
                message: { Text(texts(.moveHereText)) })
        }

        private var confirming: StorageAction? {
            guard case .confirming(let action) = model.flow.state else { return nil }
            return action
        }

        @ViewBuilder private var move: some View {
            if let code = model.moveCode {
                Text(texts(.moveCode))
                CodeText(code: code.moveTicket)
                Text(texts(.moveCodeText, [.date: texts.strings.time(code.expiresAt)]))
            } else if model.movableSubscription != nil {
                Text(texts(.moveText))
                Button(texts(.moveCreate)) { model.flow.start(.createMoveCode) }
            }
            Text(texts(.moveEnter))
            TextField(
                texts(.moveCode),
                text: Binding(
                    get: { @MainActor in model.typedMoveCode }, set: { @MainActor in model.typedMoveCode = $0 }))
            Button(texts(.moveHere)) { model.redeemMoveCode() }
        }

        @ViewBuilder private var usage: some View {
            if let used = model.usage?.storageUsed, let limit = model.limit {
                if limit > 0 { ProgressView(value: Double(min(used, limit)), total: Double(limit)) }
                Text(
                    texts(.storageUsed, [.used: texts.strings.size(used), .limit: texts.strings.size(limit)]))
                if let date = model.usage?.storageCountedAt {
                    Text(texts(.storageCounted, [.date: texts.strings.time(date)]))
                }
                if let warning = model.fullness.flatMap({ texts.warning($0) }) { Text(warning) }
                if let kinds = model.usage?.byKind { Facts(facts: texts.contents(kinds)) }
            } else {
                Text(texts(.storageNotCounted))
            }
        }

        @ViewBuilder private var plans: some View {
            if let failure = model.plansFailure {
                Text(texts(.plansUnavailable, [.name: texts.message(for: failure)]))
                Button(texts(.tryAgain)) { model.flow.load() }
            } else if model.upgrades.isEmpty {
                Text(texts(.plansNone))
            }
            ForEach(model.upgrades) { plan in
                Button(texts.offer(plan)) { model.flow.start(.buy(plan)) }
            }
            Button(texts(.restorePurchases)) { model.flow.start(.restore) }
            if let terms = model.terms {
                ForEach(texts.links(to: terms), id: \.page) { Link($0.title, destination: $0.page) }
            }
        }

        private var waiting: some View {
            Section {
                Text(texts(.purchaseWaiting, [.count: texts.strings.number(model.waitingPurchases.count)]))
                if let failure = model.waitingFailure { Text(texts.message(for: failure)) }
                Button(texts(.tryAgain)) { model.flow.start(.presentPurchases) }
                ForEach(model.takenPurchases) { purchase in
                    Button(texts(.moveHere)) { model.flow.confirm(.move(purchase)) }
                }
            }
        }

        private var notice: String? {
            switch model.notice {
            case .purchasePending: texts(.purchasePending)
            case .nothingToRestore: texts(.restoreNothing)
            case .moved: texts(.moved)
            case nil: nil
            }
        }
    }

    struct StorageViewPreviews: PreviewProvider {
        static var previews: some View {
            NavigationStack { StorageView(StorageModel(.preview, plans: PreviewPlans())) }
        }
    }
#endif
