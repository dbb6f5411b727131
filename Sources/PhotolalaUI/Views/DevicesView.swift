#if canImport(SwiftUI)
    import PhotolalaClient
    import SwiftUI

    /// The signed-in devices: shows them and signs them out.
    public struct DevicesView: View {
        private let model: DevicesModel
        private let texts: ScreenTexts

        /// Creates the screen.
        public init(_ model: DevicesModel, texts: ScreenTexts = ScreenTexts()) {
            (self.model, self.texts) = (model, texts)
        }

        /// The content of the screen.
        public var body: some View {
            FlowList(title: texts(.devicesTitle), flow: model.flow, texts: texts, notice: notice) {
                Section { Text(texts(.devicesText)) }
                ForEach(model.devices, id: \.id) { device in row(device) }
                Section {
                    Button(texts(.everywhereTitle), role: .destructive) { model.flow.confirm(.signOutEverywhere) }
                    if let seconds = model.secondsAfterRemoval {
                        Text(texts(.storageOutlasts, [.duration: texts.duration(Double(seconds))]))
                    }
                }
            }
            .alert(
                question.title,
                isPresented: Binding(
                    get: { @MainActor in confirming != nil }, set: { @MainActor in if !$0 { model.flow.dismiss() } }),
                actions: {
                    if let action = confirming {
                        Button(question.button, role: .destructive) { model.flow.start(action) }
                    }
                    Button(texts(.cancel), role: .cancel) { model.flow.dismiss() }
                },
                message: { Text(question.text) })
        }

        private func row(_ device: Device) -> some View {
            Section(device.isCurrent ? texts(.deviceThis) : device.name) {
                if device.isCurrent { Text(device.name) }
                Facts(facts: texts.facts(of: device))
                if device.isCurrent {
                    Button(texts(.signOut)) { model.flow.confirm(.signOut) }
                } else {
                    Button(texts(.removeNamed, [.name: device.name]), role: .destructive) {
                        model.flow.confirm(.remove(device.id))
                    }
                }
            }
        }

        private var notice: String? {
            if model.unconfirmedSignOut != nil { return texts(.signedOutUnconfirmed) }
            return model.removal.map { texts.sentence(about: $0) }
        }

        private var confirming: DevicesAction? {
            guard case .confirming(let action) = model.flow.state else { return nil }
            return action
        }

        private var question: (title: String, text: String, button: String) {
            switch confirming {
            case .remove(let id):
                let name = model.devices.first { $0.id == id }?.name ?? ""
                return (texts(.removeQuestion, [.name: name]), texts(.removeWarning, [.name: name]), texts(.remove))
            case .signOutEverywhere:
                return (texts(.everywhereQuestion), texts(.everywhereDeviceText), texts(.everywhereTitle))
            case .signOut, nil: return (texts(.signOutQuestion), "", texts(.signOut))
            }
        }
    }

    struct DevicesViewPreviews: PreviewProvider {
        static var previews: some View {
            NavigationStack { DevicesView(DevicesModel(.preview)) }
        }
    }
#endif
