// Code sets of v4.0.1 (OBIE External and Internal Code Sets), as far as payments use them.

const words = (text: string): readonly string[] => text.split(' ');

/** OBAddressType2Code: the codes of ISO 20022, each with the word of earlier versions. */
export const addressTypes40: Readonly<Record<string, string>> = {
  BIZZ: 'Business',
  DLVY: 'DeliveryTo',
  MLTO: 'MailTo',
  PBOX: 'POBox',
  ADDR: 'Postal',
  HOME: 'Residential',
  CORR: 'Correspondence',
  STAT: 'Statement',
};

/** OBAddressTypeCode, of earlier versions. */
export const addressWords: readonly string[] = Object.values(addressTypes40).toSorted();

/** OBInternalFinancialInstitutionIdentification4Code. */
export const agentSchemes = words('UK.OBIE.BICFI');

/** OBInternalAccountIdentification4Code. */
export const partySchemes = words(
  'UK.OBIE.BBAN UK.OBIE.IBAN UK.OBIE.PAN UK.OBIE.Paym UK.OBIE.SortCodeAccountNumber UK.OBIE.Wallet',
);

/** ExternalProxyAccountType1Code. */
export const proxyCodes = words(
  'TELE EMAL DNAM CINC COTX COID CUST DRLC EIDN EWAL PVTX LEIC MBNO NIDN CCPT SHID SOSE TOKN UBIL VIPN BIID',
);

/** ExternalDocumentType1Code. */
export const documentCodes = words('CINV CNFA CONT CREN DEBN DISP DNFA HIRI INVS MSIN PROF PUOR QUOT SBIN SPRR TISH');

/** ExternalCreditorReferenceType1Code. */
export const creditorReferenceCodes = words('DISP FXDR PUOR RPIN RADM SCOR');

/**
 * ISO 17442: 18 capital letters and digits, two check digits. The form of v4.0.1, because that of v4.0 refuses most
 * identifiers in use.
 */
export const leiForm = /^[A-Z0-9]{18}[0-9]{2}$/;

/** Why somebody pays (ExternalPurpose1Code of ISO 20022). */
export const purposeCodes: readonly string[] = (
  'ACCT ADCS ADMG ADVA AEMP AGRT AIRB ALLW ALMY AMEX ANNI ANTS AREN AUCO B112 BBSC BCDM BCFG BECH BENE BEXP ' +
  'BFWD BKDF BKFE BKFM BKIP BKPP BLDM BNET BOCE BOND BONU BR12 BUSB CABD CAEQ CAFI CASH CBCR CBFF CBFR CBLK ' +
  'CBTV CCHD CCIR CCPC CCPM CCRD CCSM CDBL CDCB CDCD CDCS CDDP CDEP CDOC CDQC CFDI CFEE CGDD CHAR CLPR CMDT ' +
  'COLL COMC COMM COMP COMT CORT COST CPEN CPKC CPYR CRDS CRPR CRSP CRTL CSDB CSLP CVCF DBCR DBTC DCRD DEBT ' +
  'DEPD DEPT DERI DICL DIVD DMEQ DNTS DSMT DVPM ECPG ECPR ECPU EDUC EFTC EFTD ELEC ENRG EPAY EQPT EQTS EQUS ' +
  'ESTX ETUP EXPT EXTD FACT FAND FCOL FCPM FEES FERB FIXI FLCR FNET FORW FREX FUTR FWBC FWCC FWLV FWSB FWSC ' +
  'FXNT GAFA GAHO GAMB GASB GDDS GDSV GFRP GIFT GOVI GOVT GSCB GSTX GVEA GVEB GVEC GVED GWLT HEDG HLRP HLST ' +
  'HLTC HLTI HREC HSPC HSTX ICCP ICRF IDCP IHRP INPC INPR INSC INSM INSU INTC INTE INTP INTX INVS IPAY IPCA ' +
  'IPDO IPEA IPEC IPEW IPPS IPRT IPU2 IPUW IVPT LBIN LBRI LCOL LFEE LICF LIFI LIMA LMEQ LMFI LMRK LOAN LOAR ' +
  'LOTT LREB LREV LSFL LTCF MAFC MARF MARG MBSB MBSC MCDM MCFG MDCS MGCC MGSC MOMA MP2B MP2P MSVC MTUP NETT ' +
  'NITX NOWS NWCH NWCM OCCC OCDM OCFG OFEE OPBC OPCC OPSB OPSC OPTN OTCD OTHR OTLC PADD PAYR PCOM PDEP PEFC ' +
  'PENO PENS PHON PLDS PLRF POPE PPTI PRCP PRME PTSP PTXP RAPI RCKE RCPT RDTX REBT REFU RELG RENT REOD REPO ' +
  'RETL RHBS RIMB RINP RLWY ROYA RPBC RPCC RPNT RPSB RPSC RRBN RRCT RRTP RVPM RVPO SALA SASW SAVG SBSC SCIE ' +
  'SCIR SCRP SCVE SECU SEPI SERV SHBC SHCC SHSL SLEB SLOA SLPI SPLT SPSP SSBE STDY SUBS SUPP SWBC SWCC SWFP ' +
  'SWPP SWPT SWRS SWSB SWSC SWUF TAXR TAXS TBAN TBAS TBBC TBCC TBIL TCSC TELI TLRF TLRR TMPG TPRI TPRP TRAD ' +
  'TRCP TREA TRFD TRNC TRPT TRVC UBIL UNIT VATX VIEW WEBI WHLD WTER'
).split(' ');

/** The same by category (ExternalCategoryPurpose1Code). */
export const categoryPurposeCodes: readonly string[] = (
  'BONU CASH CBLK CCRD CGWV CIPC CONC CORT DCRD DIVI DVPM EPAY FCDT FCIN FCOL GOVT GP2P HEDG ICCP IDCP INTC ' +
  'INTE LBOX LOAN MP2B MP2P OTHR PENS RPRE RRCT RVPM SALA SECU SSBE SUPP SWEP TAXS TOPG TRAD TREA VATX VOST ' +
  'WHLD ZABA'
).split(' ');
