#if canImport(SwiftUI)
    import Foundation
    import PhotolalaClient
    import SwiftUI

    /// The migration of photos that the device had before there was an account: selection, estimate, upload.
    public struct MigrationView: View {
        private let model: MigrationModel
        private let texts: ScreenTexts

        /// Creates the screen.
        public init(_ model: MigrationModel, texts: ScreenTexts = ScreenTexts()) {
            (self.model, self.texts) = (model, texts)
        }

        /// The content of the screen.
        public var body: some View {
            List {
                if let failure = model.failure { Section { Text(texts.message(for: failure)) } }
                switch model.state {
                case .loading: Section { ProgressView(texts(.loading)) }
                case .selecting: selection
                case .estimating: progress(texts(.migrationEstimating), stop: texts(.cancel))
                case .estimated(let estimate): estimated(estimate)
                case .uploading: progress(texts(.working), stop: texts(.stop))
                case .finished(let result): finished(result)
                case .signedOut: Section { Text(texts(.sessionOver)) }
                }
            }
            .navigationTitle(texts(.migrationTitle))
            .task { model.load() }
        }

        @ViewBuilder private var selection: some View {
            Section { Text(texts(.migrationText)) }
            if model.unfinished != nil {
                Section {
                    Text(texts(.migrationUnfinished))
                    Button(texts(.continue)) { model.resume() }
                }
            }
            Section(texts(.migrationFolders)) {
                if model.folders.isEmpty { Text(texts(.migrationNoFolders)) }
                ForEach(model.folders, id: \.self) { folder in
                    Toggle(
                        folder.lastPathComponent,
                        isOn: Binding(
                            get: { @MainActor in model.selectedFolders.contains(folder) },
                            set: { @MainActor in model.setFolder(folder, isSelected: $0) }))
                }
            }
            Section(texts(.migrationKinds)) {
                ForEach(MigrationModel.Kind.allCases, id: \.self) { kind in
                    Toggle(
                        texts(kind == .photos ? .migrationPhotos : .migrationVideos),
                        isOn: Binding(
                            get: { @MainActor in model.selectedKinds.contains(kind) },
                            set: { @MainActor in model.setKind(kind, isSelected: $0) }))
                }
            }
            Section { Button(texts(.migrationEstimate)) { model.estimate() }.disabled(!model.canEstimate) }
        }

        private func progress(_ title: String, stop: String) -> some View {
            Section(title) {
                TransferProgressView(progress: model.progress, texts: texts)
                Button(stop) { model.cancel() }
            }
        }

        private func estimated(_ estimate: MigrationEstimate) -> some View {
            Section {
                Facts(facts: texts.facts(of: estimate))
                if estimate.files > 0 { Button(texts(.migrationUpload)) { model.upload() } }
                Button(texts(.migrationChange)) { model.startOver() }
            }
        }

        private func finished(_ result: MigrationResult) -> some View {
            Section {
                Facts(facts: texts.facts(of: result))
                // The paths of two folders may be equal.
                ForEach(result.failures.indices, id: \.self) { index in
                    LabeledContent(
                        result.failures[index].path, value: texts.message(for: result.failures[index]))
                }
                Button(texts(.done)) { model.startOver() }
            }
        }
    }

    struct MigrationViewPreviews: PreviewProvider {
        static var previews: some View {
            NavigationStack {
                MigrationView(
                    MigrationModel(
                        transfers: PreviewTransfers(), folders: [URL(fileURLWithPath: "/Pictures/Holidays")]))
            }
        }
    }
#endif
