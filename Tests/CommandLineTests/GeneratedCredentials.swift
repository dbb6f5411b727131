// Written by `photolala credential-code`. Contains sealed AWS credentials: do not commit or publish it.
// swift-format-ignore-file
import PhotolalaDirectFunctions

extension EmbeddedCredentials {
    /// Credentials that may only invoke Photolala's direct functions.
    static let photolala = EmbeddedCredentials(production + development)

    private static let production: [Sealed] = [
        Sealed(.prod, key: "wWdeC7mApXWolmH+wIqoO2Px7ghGnM2sn/c1qyeKhLo=", box: "bRwXDPXBGDyGB2OyT/FHVkTMLFNP5nq4vZl77cmQ/g1q1BQEtEPBBe4ujPktQUitQcpxNY8TOaUBbulhrTMK7VFuiPyqjBSh3hs08Txx2Ha4/HY0mkyV3GzUts3iri7Svlg+f4e7P6GVOPLDSW3EBB2+fGH614GzcShkYiJ7l4bwh/P1d0L9OYq1/MhfSrg1B6vExHnzPeRH")
    ]

    #if DEBUG
    private static let development: [Sealed] = [
        Sealed(.stage, key: "zkIvZCmzhoP/bDV3Ya7zGRLUUtXBHbGW5FKOIC2COVU=", box: "DySp0zzRR6G+aoe3gOXbA1elSiHH+iBibvsSVRKYcPZs567VkYKd0zx1rUXVWmjK+NhmMlezYiyLUWEXMcOfiFBW/a/R5BtjI+xa96JjAH2Eg7PGMgSFhhFvGdQYhoZT8bWo6h1KfwvXpZJ6sNBSIoVAsgDT/X+cYEKicJSR01PXb5sOQG4BJliZ8+eYH1+JcuJKBKAh")
    ]
    #else
    // Releases work with `prod` only.
    private static let development: [Sealed] = []
    #endif
}
