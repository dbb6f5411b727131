import AVFoundation
import SwiftUI
import UIKit
import Vision
import VisionKit

/// The camera, until it sees a QR code.
struct CodeScanner: UIViewControllerRepresentable {
    let found: @MainActor (String) -> Void

    /// Whether the phone can scan.
    static var isSupported: Bool { DataScannerViewController.isSupported }

    /// Asks for access to the camera, if the person has not decided yet.
    /// - Returns: Whether the camera may be used.
    static func requestAccess() async -> Bool {
        guard await AVCaptureDevice.requestAccess(for: .video) else { return false }
        return DataScannerViewController.isAvailable
    }

    func makeUIViewController(context: Context) -> DataScannerViewController {
        let scanner = DataScannerViewController(recognizedDataTypes: [.barcode(symbologies: [.qr])])
        scanner.delegate = context.coordinator
        return scanner
    }

    func updateUIViewController(_ scanner: DataScannerViewController, context: Context) {
        try? scanner.startScanning()
    }

    func makeCoordinator() -> Delegate { Delegate(found: found) }

    /// Passes on the first code.
    @MainActor
    final class Delegate: NSObject, DataScannerViewControllerDelegate {
        private let found: @MainActor (String) -> Void

        init(found: @escaping @MainActor (String) -> Void) { self.found = found }

        func dataScanner(
            _ scanner: DataScannerViewController, didAdd items: [RecognizedItem], allItems: [RecognizedItem]
        ) {
            for case .barcode(let code) in items {
                guard let text = code.payloadStringValue else { continue }
                scanner.stopScanning()
                found(text)
                return
            }
        }
    }
}
