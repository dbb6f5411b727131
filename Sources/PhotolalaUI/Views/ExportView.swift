#if canImport(SwiftUI)
    import Foundation
    import PhotolalaClient
    import SwiftUI

    /// The export of the account to a ZIP archive on this device.
    public struct ExportView: View {
        private let model: ExportModel
        private let texts: ScreenTexts

        /// Creates the screen.
        public init(_ model: ExportModel, texts: ScreenTexts = ScreenTexts()) {
            (self.model, self.texts) = (model, texts)
        }

        /// The content of the screen.
        public var body: some View {
            FlowList(title: texts(.exportTitle), flow: model.flow, texts: texts) {
                if model.flow.state == .working(.create) {
                    Section { TransferProgressView(progress: model.progress, texts: texts) }
                }
                Section {
                    Text(texts(.exportText))
                    Facts(facts: [texts(.exportPhotos), texts(.exportAccount), texts(.exportHistory)])
                    Text(texts(.exportDeviceText))
                }
                if let report = model.report {
                    Section { Facts(facts: texts.facts(of: report)) }
                } else if model.isInterrupted {
                    Section { Text(texts(.exportIncomplete)) }
                }
                Section {
                    Button(texts(model.isInterrupted ? .continue : .createExport)) { model.flow.start(.create) }
                }
            }
        }
    }

    struct ExportViewPreviews: PreviewProvider {
        static var previews: some View {
            NavigationStack {
                ExportView(
                    ExportModel(.preview, transfers: PreviewTransfers()) { URL(fileURLWithPath: "/photos.zip") })
            }
        }
    }
#endif
