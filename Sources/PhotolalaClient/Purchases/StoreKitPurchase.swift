// visionOS needs the window of the purchase.
#if canImport(StoreKit) && !os(visionOS)
    import Foundation
    import PhotolalaAPI
    import StoreKit

    /// The purchase of a product of StoreKit 2.
    ///
    /// This file is compiled on Apple platforms only. The project's tests run on Linux and only type-check it.
    public struct StoreKitPurchase: PurchaseSheet {
        private let product: Product

        /// Creates a purchase.
        public init(_ product: Product) { self.product = product }

        /// Buys the product, with the account as `appAccountToken`.
        /// - Throws: `purchaseFailed`.
        public func buy(for account: UUID) async throws(PhotolalaError) -> SignedPurchase? {
            let result: Product.PurchaseResult
            do {
                result = try await product.purchase(options: [.appAccountToken(account)])
            } catch {
                throw PhotolalaError(
                    code: .purchaseFailed, detail: "The purchase failed: \(error.localizedDescription)",
                    cause: FailureCause(platform: error))
            }
            guard case .success(let verification) = result else { return nil }
            return SignedPurchase(verification)
        }
    }

    extension SignedPurchase {
        /// Creates a purchase from what StoreKit delivered. The server verifies the signature, so unverified transactions
        /// are presented, too.
        public init(_ result: VerificationResult<Transaction>) {
            self.init(signedTransaction: result.jwsRepresentation) { await result.unsafePayloadValue.finish() }
        }
    }

    extension PhotolalaSession {
        /// Presents and finishes the purchases that StoreKit has delivered and no app has finished: approved later, bought
        /// on another device, or not accepted by the server before. Call it at the start of the app and for
        /// `Transaction.updates`.
        /// - Returns: The errors of purchases that were not accepted; they stay unfinished.
        public func presentUnfinishedPurchases() async -> [PhotolalaError] {
            var failures: [PhotolalaError] = []
            for await result in Transaction.unfinished {
                do throws(PhotolalaError) { try await present(SignedPurchase(result)) } catch { failures.append(error) }
            }
            return failures
        }
    }
#endif
